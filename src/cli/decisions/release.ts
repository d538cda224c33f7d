import type { Command } from 'commander';
import { own } from '../../io/dictionary.ts';
import { byThisUser, decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { finishRuns } from '../running/ingest.ts';
import { type Session, toDecide } from '../session.ts';

const HELP = `
The next delivery goes through again, and so do changes that were held in the meantime; \`offerline approve\` releases another file that was.
A feed that was removed from the configuration but is kept in the dataset by a guard (see \`offerline feeds\`) leaves it with the next upload.
With --wait the feeds run at once, as with \`offerline ingest FEED --wait\`; those that are paused do not.

Examples:
  offerline release main --reason "the supplier sent a corrected list"
  offerline release feed:north --reason "prices are right again" --wait
`;

/** Adds `release`: end a freeze. */
export function define(program: Command, io: Io): void {
  program
    .command('release')
    .description(
      'End the freeze of a feed or of all feeds of a login, or let a feed that is no longer configured leave.',
    )
    .argument('<name>', 'a login or a feed; write login:NAME or feed:NAME if both have that name')
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--wait', 'run the feeds, and work in this process until the outcomes are known')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string, options: { reason: string; wait?: true; json?: true }, command: Command) =>
      toDecide(command, io, async (session) => {
        const { ctx } = session;
        const { releasable, release } = await import('../../jobs/decisions/rollback.ts');
        const released = await release(await releasable(name, ctx), decisionOf(options.reason), ctx);
        const text = `Released: ${released.join(', ')}.`;
        if (options.wait !== true) {
          if (options.json === true) return io.json({ released });
          io.out(text);
          for (const line of await stillStopped(released, ctx)) io.out(line);
          return;
        }
        if (options.json !== true) io.progress(text);
        const { runReleased } = await import('../../jobs/queue/follow-changes.ts');
        const answers = await finishRuns(await runReleased(released, byThisUser(), ctx), options, session, io);
        if (options.json === true) io.json({ released, runs: answers });
        else if (answers.length === 0) io.out(text);
      }),
    );
}

/** What the next changes of feeds still wait for after a freeze: a decision, a file that is sent once more, or a full list. */
async function stillStopped(feeds: readonly string[], ctx: Session['ctx']): Promise<string[]> {
  const [{ changesTaken }, { getRun }] = await Promise.all([
    import('../../jobs/feeds/changes-taken.ts'),
    import('../../ledger/runs/runs.ts'),
  ]);
  const said: string[] = [];
  for (const feed of feeds) {
    const login = own(ctx.config.feeds, feed)?.login;
    const taken = login === undefined ? null : await changesTaken(feed, login, ctx);
    const stopped = taken?.stopped ?? [];
    // A full list needs nothing before it.
    const list = stopped.findLast((one) => one.state === 'held' && taken!.names.kindOf(one.name) === 'full');
    const first = list ?? stopped[0];
    if (first === undefined) continue;
    const { name, run, state } = first;
    const isReadAgain = state === 'held' && (await getRun(ctx.ledger.db, run)).options.cause === 'frozen';
    if (isReadAgain) said.push(`${feed}: ${name}, which was held meanwhile (run ${run}), is read again.`);
    else if (state === 'held') said.push(`${feed}: changes wait for a decision about ${name} (run ${run}).`);
    else if (state === 'rejected' || state === 'replaced')
      said.push(
        `${feed}: changes wait behind ${name} (run ${run}), which is not live: that file once more or a full list lets them go on, or \`offerline ingest ${feed} --force\`.`,
      );
  }
  return said;
}
