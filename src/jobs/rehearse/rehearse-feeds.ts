import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { createRun } from '../../ledger/runs/runs.ts';
import type { RunAnswer } from '../../model.ts';
import { answerOf } from '../queries/answer.ts';
import { inRehearsal, runsDone, type Rehearsing } from './in-rehearsal.ts';

type Delivering = { feeds: string[]; login: string; file?: string | undefined; force?: true | undefined };

/**
 * Runs feeds of one login together in a rehearsal; answers what became of each, in the same order, and where the rehearsal's
 * files are.
 */
export async function rehearseFeeds(
  delivering: Delivering,
  following: Rehearsing,
): Promise<{ answers: RunAnswer[]; home: string }> {
  const { feeds, login, file } = delivering;
  const subject = { login, feed: feeds[0] ?? null, pushed: file === undefined ? feeds : [] };
  const { made: answers, home } = await inRehearsal(subject, following, async (ctx) => {
    const runs: string[] = [];
    for (const feed of feeds) runs.push(await record(feed, delivering, ctx));
    await runsDone(runs, ctx, following);
    const done: RunAnswer[] = [];
    for (const run of runs) done.push(await answerOf(run, ctx));
    return done;
  });
  return { answers, home };
}

function record(feed: string, { login, file, force }: Delivering, ctx: Context): Promise<string> {
  return createRun(ctx.ledger.db, {
    feed,
    login,
    cause: 'manual',
    options: {
      wait: true,
      ...(force === true ? { force: true } : {}),
      ...(file === undefined ? {} : { file: resolve(file) }),
    },
    sandbox: true,
    now: ctx.clock.now(),
  });
}
