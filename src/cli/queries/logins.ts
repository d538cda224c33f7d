import type { Command } from 'commander';
import { printable } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';

/** Adds `logins`: the state of each login. */
export function define(program: Command, io: Io): void {
  program
    .command('logins')
    .description('Show the state of each login: its live dataset and its open upload.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline logins --json\n')
    .action((options: { json?: true }, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { loginStates } = await import('../../jobs/standing/login-state.ts');
        const states = await loginStates(ctx);
        if (options.json === true) return io.json(states);
        const [{ table }, { fitText }] = await Promise.all([import('../table.ts'), import('../fit.ts')]);
        const rows = states.map(
          ({ login, live, doubt, unproved: newer, open, waiting, paused, denied, frozen, foreign }) => {
            const unproved = newer === null ? '' : `${newer} (not verified)`;
            return [
              [
                login,
                paused === null ? '' : '(PAUSED)',
                denied === null ? '' : '(CREDENTIALS REJECTED)',
                foreign ? '(FOREIGN UPLOAD IS LIVE)' : '',
                frozen.length === 0 ? '' : '(ROLLED BACK, FROZEN)',
              ]
                .filter(Boolean)
                .join(' '),
              live === null ? 'nothing' : `${live.rows}${doubt === null ? '' : ' ?'}`,
              [live === null ? '' : `${live.offerId ?? ''}${live.baseline ? ' (baseline)' : ''}`, unproved]
                .filter(Boolean)
                .join('; '),
              live === null ? '' : showTime(live.since),
              open === null ? '' : `${open.upload} ${open.state}${open.note === null ? '' : `: ${open.note}`}`,
              waiting.join(', '),
            ];
          },
        );
        const head = ['login', 'live rows', 'upload', 'live since (UTC)', 'open upload', 'feeds waiting'];
        io.out(table(head, rows, { numeric: ['live rows'] }));
        for (const { login, standing } of states) {
          for (const { feed, since, last } of standing)
            io.out(
              `${login}: ${feed} has not moved since ${showTime(since)}; its last delivery ${last.outcome === 'failed' ? 'failed' : `was ${last.outcome}`} (run ${last.id}).`,
            );
        }
        for (const { notes } of states) for (const note of notes) io.out(fitText(`\n${printable(note)}`));
      }),
    );
}
