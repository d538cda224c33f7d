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
        const { wait = false, json = false } = options;
        const ids = wait ? await runsAfter(released, ctx) : [];
        if (!json && ids.length > 0) io.progress(text);
        else if (!json) io.out(text);
        const answers = wait ? await finishRuns(ids, options, session, io) : [];
        const stopped = await stillStopped(released, ctx);
        if (!json) return stopped.forEach(({ says }) => io.out(says));
        const waiting = stopped.map(({ says: _says, ...facts }) => facts);
        io.json({
          released,
          ...(wait ? { runs: answers } : {}),
          ...(waiting.length === 0 ? {} : { stillStopped: waiting }),
        });
      }),
    );
}

async function runsAfter(released: readonly string[], ctx: Session['ctx']): Promise<string[]> {
  const { runReleased } = await import('../../jobs/queue/follow-changes.ts');
  return runReleased(released, byThisUser(), ctx);
}

/** The file behind which the next changes of a feed wait, and for what: its reading, a decision, or that it or a full list comes. */
type Stopped = { feed: string; file: string; run: string; waitsFor: 'reading' | 'decision' | 'file'; says: string };

/** What the next changes of feeds still wait for after a freeze. */
async function stillStopped(feeds: readonly string[], ctx: Session['ctx']): Promise<Stopped[]> {
  const [{ changesTaken }, { getRun }, { pauseOver }] = await Promise.all([
    import('../../jobs/feeds/changes-taken.ts'),
    import('../../ledger/runs/runs.ts'),
    import('../../ledger/runs/pauses.ts'),
  ]);
  const { db } = ctx.ledger;
  const found: Stopped[] = [];
  for (const feed of feeds) {
    const login = own(ctx.config.feeds, feed)?.login;
    const taken = login === undefined ? null : await changesTaken(feed, login, ctx);
    const stopped = taken?.stopped ?? [];
    // A full list needs nothing before it.
    const list = stopped.findLast((one) => one.state === 'held' && taken!.names.kindOf(one.name) === 'full');
    const first = list ?? stopped[0];
    if (first === undefined) continue;
    const { name: file, run, state } = first;
    const facts = { feed, file, run };
    const isReadAgain = state === 'held' && (await getRun(db, run)).options.cause === 'frozen';
    if (isReadAgain) {
      const when = (await pauseOver(db, feed, login!)) === undefined ? '' : ' once it is resumed';
      const says = `${feed}: ${file}, which was held meanwhile (run ${run}), is read again${when}.`;
      found.push({ ...facts, waitsFor: 'reading', says });
    } else if (state === 'held') {
      const says = `${feed}: changes wait for a decision about ${file} (run ${run}).`;
      found.push({ ...facts, waitsFor: 'decision', says });
    } else if (state === 'rejected' || state === 'replaced') {
      const says = `${feed}: changes wait behind ${file} (run ${run}), which is not live: that file once more or a full list lets them go on, or \`offerline ingest ${feed} --force\`.`;
      found.push({ ...facts, waitsFor: 'file', says });
    }
  }
  return found;
}
