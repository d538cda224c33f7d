import { Option, type Command } from 'commander';
import type { Resolution } from '../../jobs/decisions/resolve.ts';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { toDecide } from '../session.ts';

type Options = { as: Resolution; reason: string; json?: true };

const HELP = `
  live   the service accepted it: the upload is recorded as a success, and its receipt is checked
  lost   the service did not accept it: the dataset is sent again

Check with the service first: a dataset that is declared lost although the service accepted it is sent twice.

Example:
  offerline resolve 20261121-060003-x188q --as lost --reason "the service's support team found no trace of it"
`;

/** Adds `resolve`: decide an outcome that could not be determined. */
export function define(program: Command, io: Io): void {
  program
    .command('resolve')
    .description('Resolve an upload whose outcome could not be determined, or that has stalled at the service.')
    .argument('<upload>', 'an upload: its id, its token or its offer id; `offerline logins` shows the open ones')
    .addOption(new Option('--as <outcome>', 'what happened to it').choices(['live', 'lost']).makeOptionMandatory())
    .requiredOption('--reason <text>', 'how you know; recorded with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((upload: string, options: Options, command: Command) =>
      toDecide(command, io, async ({ ctx, loaded }) => {
        const [{ resolveUpload }, { wakeLaneElsewhere }] = await Promise.all([
          import('../../jobs/decisions/resolve.ts'),
          import('../../jobs/queue/wake-elsewhere.ts'),
        ]);
        const row = await resolveUpload(upload, options.as, decisionOf(options.reason), ctx);
        const woken = await wakeLaneElsewhere(row.login, { redisUrl: loaded.redisUrl }, ctx);
        const { id, login, offer_id: offerId, token, state } = row;
        if (options.json === true) return io.json({ upload: id, login, offerId, token, state, woken });
        const next = woken ? '' : ' Work on it continues when `offerline up` or `offerline worker` runs.';
        io.out(`Upload ${id} of ${login} has been declared ${options.as}.${next}`);
      }),
    );
}
