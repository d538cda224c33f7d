import type { Command } from 'commander';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { assertMayDecide, withSession } from '../session.ts';

/** Adds `resume`: continue a login or feed. */
export function define(program: Command, io: Io): void {
  program
    .command('resume')
    .description('Resume a paused login or feed.')
    .argument('<name>', 'a login or a feed; write login:NAME or feed:NAME if both have that name')
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline resume north --reason "their system is back"\n')
    .action((name: string, options: { reason: string; json?: true }, command: Command) =>
      withSession(command, io, async ({ ctx, loaded }) => {
        const [{ pausable, resume }, { restingFor }] = await Promise.all([
          import('../../jobs/decisions/pause.ts'),
          import('../../ledger/maintenance/restored.ts'),
        ]);
        const what = pausable(name, ctx);
        // A feed that is resumed before the choice after a restore is fetched with the others, and nothing is sent until then.
        const isChoosing = what.kind === 'feed' && (await restingFor(ctx.ledger.db)) === 'undecided';
        if (!isChoosing) await assertMayDecide(ctx);
        await resume(what, decisionOf(options.reason), ctx);
        if (!isChoosing) {
          const { wakeLaneElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
          const login = what.kind === 'login' ? what.name : (ctx.config.feeds[what.name]?.login ?? '');
          await wakeLaneElsewhere(login, { redisUrl: loaded.redisUrl }, ctx);
        }
        if (options.json === true) io.json({ ...what, paused: false });
        else io.out(`The ${what.kind} ${what.name} has been resumed.`);
      }),
    );
}
