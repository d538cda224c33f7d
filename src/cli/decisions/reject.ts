import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { decisionOf } from './decision.ts';
import { RUN, decideRun } from '../session.ts';

/** Adds `reject`: drop a contribution that is held or not sent yet. */
export function define(program: Command, io: Io): void {
  program
    .command('reject')
    .description('Drop a run for good that is held, or open with nothing sent; what is live stays live.')
    .argument('<run>', RUN)
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText(
      'after',
      '\nExample:\n  offerline reject 20261121-060000-k3f9x --reason "half of the brands are missing"\n',
    )
    .action((name: string, options: { reason: string; json?: true }, command: Command) =>
      decideRun(command, io, name, async (run, session) => {
        const [{ rejectRun }, { settleRequests }] = await Promise.all([
          import('../../jobs/decisions/review.ts'),
          import('../../jobs/decisions/second/settle.ts'),
        ]);
        await rejectRun(run, decisionOf(options.reason), session.ctx);
        await settleRequests(session.ctx);
        const [{ wakeElsewhere }, { answerOf }, { changesTaken }, { getRun }] = await Promise.all([
          import('../../jobs/queue/wake-elsewhere.ts'),
          import('../../jobs/queries/answer.ts'),
          import('../../jobs/feeds/changes-taken.ts'),
          import('../../ledger/runs/runs.ts'),
        ]);
        // The next worker writes the report again.
        await wakeElsewhere(run, { redisUrl: session.loaded.redisUrl }, session.ctx);
        if (options.json === true) return io.json(await answerOf(run, session.ctx));
        io.out(`Run ${run} has been rejected; the last good rows of its feed stay live.`);
        const { feed, login } = await getRun(session.ctx.ledger.db, run);
        const stopped = (await changesTaken(feed, login, session.ctx))?.stopped.find((one) => one.run === run);
        if (stopped !== undefined)
          io.out(`Changes after ${stopped.name} wait until that file comes once more, or a full list.`);
      }),
    );
}
