import { Option, type Command } from 'commander';
import type { Resolution } from '../../jobs/decisions/resolve.ts';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

type Options = { as: Resolution; reason: string; json?: true };

const HELP = `
  live   the service has taken it: the upload is settled as a success, its receipt is taken
  lost   the service has not taken it: the dataset is sent again

Look at the service first: a dataset that is declared lost although it was taken is sent twice.

Example:
  offerline resolve 20261121-060003-x188q --as lost --reason "the service's support found no trace of it"
`;

/** Adds `resolve`: settle an outcome that no look-up could. */
export function define(program: Command, io: Io): void {
  program
    .command('resolve')
    .description('Settle an upload whose outcome is unknown or that is stuck at the service.')
    .argument('<upload>', 'an upload: its id, its token or the offer id; `offerline logins` shows those that are open')
    .addOption(new Option('--as <outcome>', 'what became of it').choices(['live', 'lost']).makeOptionMandatory())
    .requiredOption('--reason <text>', 'how you know; kept with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((upload: string, options: Options, command: Command) =>
      withSession(command, async ({ ctx, loaded }) => {
        const [{ resolveUpload }, { wakeLaneElsewhere }] = await Promise.all([
          import('../../jobs/decisions/resolve.ts'),
          import('../../jobs/queue/wake-elsewhere.ts'),
        ]);
        const row = await resolveUpload(upload, options.as, decisionOf(options.reason), ctx);
        const woken = await wakeLaneElsewhere(row.login, { redisUrl: loaded.redisUrl }, ctx);
        const { id, login, offer_id: offerId, token, state } = row;
        if (options.json === true) return io.json({ upload: id, login, offerId, token, state, woken });
        const next = woken ? '' : ' Work on it goes on when `offerline up` or `worker` runs.';
        io.out(`Upload ${id} of ${login} is declared ${options.as}.${next}`);
      }),
    );
}
