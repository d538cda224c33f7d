import type { DayRange } from '../../config/schema/expect/dates.ts';
import type { Away } from '../../jobs/decisions/away.ts';
import type { AskedColumn } from '../../jobs/decisions/choose-columns.ts';
import type { RerunFrom } from '../../jobs/decisions/rerun-stages.ts';
import type { Resolution } from '../../jobs/decisions/resolve.ts';
import { requestAnswer } from '../../ledger/alerts/requests.ts';
import type { RequestRow } from '../../ledger/schema/schema.ts';
import type { DecisionRequest } from '../../model.ts';
import { decisionOf, wakeLane, wakeRun, type Woken, type World } from './world.ts';

/** What a decision is given that may need a second person: the token that decides, and who made it. */
type Deciding = { reason: string; token?: string | undefined; owner?: string | undefined };

/** That a second person has to agree before anything is done. `nobodyElse`: nobody is there who could. */
export type Asked = { asked: DecisionRequest; nobodyElse: boolean };

/** What was asked for, as people and programs see it. */
async function askedFor(row: RequestRow, { ctx }: World): Promise<Asked> {
  const { othersMayDecide } = await import('../../jobs/decisions/second/deciders.ts');
  return {
    asked: requestAnswer(row, await ctx.ledger.now()),
    nobodyElse: !(await othersMayDecide(row, row.feed, ctx)),
  };
}

/** Releases a held run, as `offerline approve` does, or asks for a second person. */
export async function approve(
  { run, reason, ...by }: { run: string } & Deciding,
  world: World,
): Promise<Woken | Asked> {
  const { approveOrAsk } = await import('../../jobs/decisions/second/decide.ts');
  const asked = await approveOrAsk(run, { ...decisionOf(reason, world), ...by }, world.ctx);
  return asked === null ? wakeRun(run, world) : askedFor(asked, world);
}

/** Drops a run of which nothing was sent, as `offerline reject` does. */
export async function reject({ run, reason }: { run: string; reason: string }, world: World): Promise<Woken> {
  const { rejectRun } = await import('../../jobs/decisions/review.ts');
  await rejectRun(run, decisionOf(reason, world), world.ctx);
  const { settleRequests } = await import('../../jobs/decisions/second/settle.ts');
  await settleRequests(world.ctx);
  return wakeRun(run, world);
}

/** Takes columns for a feed and header, as `offerline approve --columns` does; null: those that are proposed. */
export async function takeColumns(
  { run, columns, reason }: { run: string; columns: AskedColumn[] | null; reason: string },
  world: World,
): Promise<Woken & { warnings: string[] }> {
  const { acceptRunColumns } = await import('../../jobs/decisions/accept-columns.ts');
  const { warnings } = await acceptRunColumns(run, columns, decisionOf(reason, world), world.ctx);
  return { ...(await wakeRun(run, world)), warnings };
}

/** Takes a reading of a file for that file, as `offerline approve --reading` does. */
export async function takeReading(
  { run, reading, reason }: { run: string; reading: number; reason: string },
  world: World,
): Promise<Woken> {
  const jobs = await import('../../jobs/decisions/take-reading.ts');
  await jobs.takeReading(run, reading, decisionOf(reason, world), world.ctx);
  return wakeRun(run, world);
}

/** Takes accepted columns back, as `offerline approve --columns --revoke` does. */
export async function revokeColumns(
  { run, reason }: { run: string; reason: string },
  world: World,
): Promise<Woken & { readAgain: string | null }> {
  const { revokeRunColumns } = await import('../../jobs/decisions/accept-columns.ts');
  const { readAgain } = await revokeRunColumns(run, decisionOf(reason, world), world.ctx);
  const woken = readAgain === null ? { woken: true } : await wakeRun(readAgain, world);
  return { ...woken, readAgain };
}

/** Runs again from a stage, as `offerline rerun` does. While the feed has an open run of it, the second who asks is told. */
export async function rerunRun(
  { run, from }: { run: string; from: RerunFrom },
  world: World,
): Promise<Woken & { run: string }> {
  const { rerun } = await import('../../jobs/decisions/rerun.ts');
  const again = await rerun(run, { from, wait: false, by: world.asker, once: true }, world.ctx);
  return { ...(await wakeRun(again, world)), run: again };
}

/** Runs a feed now, as `offerline ingest` does. While the feed is at work, the second who asks is told. */
export async function ingest({ feed }: { feed: string }, world: World): Promise<Woken & { run: string }> {
  const { runFeed } = await import('../../jobs/decisions/run-feed.ts');
  const run = await runFeed(feed, { by: world.asker, once: true }, world.ctx);
  return { ...(await wakeRun(run, world)), run };
}

/** Stops a feed or login, as `offerline pause` does. `name`: `feed:NAME` or `login:NAME`. */
export async function pause({ name, reason }: { name: string; reason: string }, world: World): Promise<void> {
  const jobs = await import('../../jobs/decisions/pause.ts');
  await jobs.pause(jobs.pausable(name, world.ctx), decisionOf(reason, world), world.ctx);
}

/** Ends a pause, as `offerline resume` does. */
export async function resume({ name, reason }: { name: string; reason: string }, world: World): Promise<void> {
  const jobs = await import('../../jobs/decisions/pause.ts');
  const what = jobs.pausable(name, world.ctx);
  await jobs.resume(what, decisionOf(reason, world), world.ctx);
  if (what.kind === 'login') await wakeLane(what.name, world);
}

/** Records days on which a supplier delivers nothing, as `offerline expect --away` does. */
export async function announceAway({ reason, ...away }: Away & { reason: string }, world: World): Promise<DayRange> {
  const jobs = await import('../../jobs/decisions/away.ts');
  return jobs.announceAway(away, decisionOf(reason, world), world.ctx);
}

/** Takes such days back, as `offerline expect --away --revoke` does. */
export async function revokeAway({ reason, ...away }: Away & { reason: string }, world: World): Promise<DayRange> {
  const jobs = await import('../../jobs/decisions/away.ts');
  return jobs.revokeAway(away, decisionOf(reason, world), world.ctx);
}

/** Ends a freeze, as `offerline release` does; gives the feeds. */
export async function release({ name, reason }: { name: string; reason: string }, world: World): Promise<string[]> {
  const jobs = await import('../../jobs/decisions/rollback.ts');
  return jobs.release(await jobs.releasable(name, world.ctx), decisionOf(reason, world), world.ctx);
}

/** Makes an earlier good dataset live again, as `offerline rollback` does, and gives the intent; or asks for a second person. */
export async function rollBack(
  { login, to, reason, ...by }: { login: string; to: string | null } & Deciding,
  world: World,
): Promise<(Woken & { intent: string }) | Asked> {
  const { rollBackOrAsk } = await import('../../jobs/decisions/second/decide.ts');
  const decision = { ...decisionOf(reason, world), ...by };
  const done = await rollBackOrAsk(login, to ?? undefined, decision, world.ctx);
  if (done.asked !== null) return askedFor(done.asked, world);
  return { ...(await wakeLane(login, world)), intent: done.intent.id };
}

/** Agrees to what somebody else asked for, as `offerline requests agree` does. */
export async function agree({ request, reason, ...by }: { request: string } & Deciding, world: World): Promise<Woken> {
  const jobs = await import('../../jobs/decisions/second/decide.ts');
  const agreed = await jobs.agree(request, { ...decisionOf(reason, world), ...by }, world.ctx);
  const { run, login } = agreed.request;
  return run === null ? wakeLane(login, world) : wakeRun(run, world);
}

/** Declines what somebody else asked for, or withdraws what one asked for, as `offerline requests decline` does. */
export async function decline(
  { request, reason, ...by }: { request: string } & Deciding,
  world: World,
): Promise<DecisionRequest> {
  const jobs = await import('../../jobs/decisions/second/decide.ts');
  const row = await jobs.decline(request, { ...decisionOf(reason, world), ...by }, world.ctx);
  return requestAnswer(row, await world.ctx.ledger.now());
}

/** Settles an upload that no look-up could, as `offerline resolve` does. */
export async function resolve(
  { upload, as, reason }: { upload: string; as: Resolution; reason: string },
  world: World,
): Promise<Woken> {
  const { resolveUpload } = await import('../../jobs/decisions/resolve.ts');
  const { login } = await resolveUpload(upload, as, decisionOf(reason, world), world.ctx);
  return wakeLane(login, world);
}
