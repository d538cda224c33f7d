import type { LoadedConfig } from '../../config/load.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../ledger/ledger.ts';
import { idOfRun } from '../../ledger/runs/named-run.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import type { RehearsedEffect, RunAnswer } from '../../model.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
import { acceptRunColumns, waitingRun } from '../decisions/accept-columns.ts';
import type { AskedColumn } from '../decisions/choose-columns.ts';
import { closedRun, rerun } from '../decisions/rerun.ts';
import type { RerunFrom } from '../decisions/rerun-stages.ts';
import { approvableRun, approveRun, assertConfigured, assertNewest, type Decision } from '../decisions/review.ts';
import { takeReading, unsureRun } from '../decisions/take-reading.ts';
import { answerOf } from '../queries/answer.ts';
import { effectOf } from './effect.ts';
import { askReal, inRehearsal, runsDone, type RehearsalFacts, type Rehearsing } from './in-rehearsal.ts';

/** What a decision about a run would do: the run's answer in the rehearsal, and what that means for what is live. */
export type RehearsedRun = RunAnswer & RehearsalFacts & { effect: RehearsedEffect };

/**
 * What would happen if a held run was approved, given columns (`columns`: as asked, or null for as proposed), or read in one of its
 * readings (from 1). `name` is a run as people name it. Fails as the decision itself does.
 */
export async function rehearseApproval(
  name: string,
  { columns, reading, ...decision }: Decision & { columns?: AskedColumn[] | null; reading?: number },
  following: Rehearsing,
): Promise<RehearsedRun & { warnings: string[] }> {
  const run = await askAbout(name, following.loaded, async (db, id) => {
    if (columns === undefined && reading === undefined) return approvableRun(db, id, following.loaded.config);
    const waiting = await (reading === undefined ? waitingRun(db, id) : unsureRun(db, id));
    await assertNewest(db, waiting);
    return waiting;
  });
  const lifts = columns === undefined && reading === undefined ? shownReason(reasonOfRun(run)) : null;
  return rehearseRun(run, lifts, following, async (ctx) => {
    if (columns !== undefined) {
      return { again: run.id, warnings: (await acceptRunColumns(run.id, columns, decision, ctx)).warnings };
    }
    if (reading === undefined) await approveRun(run.id, decision, ctx);
    else await takeReading(run.id, reading, decision, ctx);
    return { again: run.id, warnings: [] };
  });
}

/** What would happen if a run was run again from a stage. Fails as the re-run itself does; a report changes nothing that is live. */
export async function rehearseRerun(
  name: string,
  from: Exclude<RerunFrom, 'report'>,
  following: Rehearsing,
): Promise<RehearsedRun> {
  const run = await askAbout(name, following.loaded, async (db, id) => {
    const closed = await closedRun(db, id);
    return { ...closed, login: assertConfigured(closed, following.loaded.config).login };
  });
  return rehearseRun(run, null, following, async (ctx) => {
    return { again: await rerun(run.id, { from, wait: true, by: null }, ctx) };
  });
}

/** Does something with a run of the real ledger in a rehearsal and follows the run that comes of it. */
async function rehearseRun<T extends { again: string }>(
  { id, feed, login }: RunRow,
  lifts: string | null,
  following: Rehearsing,
  decide: (ctx: Context) => Promise<T>,
): Promise<RehearsedRun & Omit<T, 'again'>> {
  const { made, ...facts } = await inRehearsal({ login, feed, runs: [id] }, following, async (ctx) => {
    const before = await lastVerified(ctx.ledger.db, login);
    const { again, ...more } = await decide(ctx);
    await runsDone([again], ctx, following);
    const answer = await answerOf(again, ctx);
    const { intent } = await getRun(ctx.ledger.db, again);
    const ended = { outcome: answer.outcome, reason: answer.reason };
    const effect = await effectOf({ before, intent, ended, lifts, freezes: [] }, ctx, following.signal);
    return { ...answer, ...more, effect };
  });
  return { ...made, ...facts };
}

/** Looks at a run of the real ledger, which is only read. */
function askAbout(name: string, loaded: LoadedConfig, ask: (db: Db, id: string) => Promise<RunRow>): Promise<RunRow> {
  return askReal(loaded, async (db) => ask(db, await idOfRun(db, name)));
}
