import { rollbackPage, type RollbackTarget } from '../../jobs/decisions/rollback-targets.ts';
import { feedGuards, type FeedGuards, type Losses } from '../../jobs/standing/feed/guards.ts';
import { feedHistory, type FeedHistory } from '../../jobs/standing/feed/history.ts';
import { sliceLosses } from '../../jobs/standing/feed/slice-losses.ts';
import { feedStates, type FeedState } from '../../jobs/standing/feed-state.ts';
import { openIncidents, type SeenIncident } from '../../jobs/standing/facts.ts';
import { loginStates, type LoginState } from '../../jobs/standing/login-state.ts';
import { statusOf, type Status } from '../../jobs/standing/status.ts';
import { soon } from '../soon.ts';
import type { Visit } from '../visit.ts';

/** What time alone changes (a delivery that is late, a worker that is gone) is noticed after so many milliseconds. */
const UNTIL_CHANGE = { until: 'change', age: 2000 } as const;

/** How everything stands that the visitor sees, with moments as the visitor reads them; made once for all who see the same. */
export function statusFor({ ctx, world, visitor, language }: Visit): Promise<Status> {
  const clock = (at: number | null) => (at === null ? '–' : language.stamp(at));
  const key = JSON.stringify(['status', visitor.feeds, language.name]);
  return world.memo.get(key, UNTIL_CHANGE, () => statusOf(ctx, { scope: visitor.feeds, wording: { language, clock } }));
}

/** The states of all feeds, or of these. */
export function feedsFor({ ctx, world }: Visit, scope: readonly string[] | null): Promise<FeedState[]> {
  return world.memo.get(JSON.stringify(['feeds', scope]), UNTIL_CHANGE, () => feedStates(ctx, scope));
}

/** The states of all logins. */
export function loginsFor({ ctx, world }: Visit): Promise<LoginState[]> {
  return world.memo.get('logins', UNTIL_CHANGE, () => loginStates(ctx));
}

/** The open incidents of a feed, or of a login with its feeds, the oldest first. */
export function incidentsFor(of: { feed: string } | { login: string }, { ctx, world }: Visit): Promise<SeenIncident[]> {
  return world.memo.get(JSON.stringify(['incidents', of]), UNTIL_CHANGE, () => openIncidents(of, ctx));
}

/** The past of a feed, for a strip and a curve. */
export function historyFor(feed: string, { ctx, world, visitor: { feeds } }: Visit): Promise<FeedHistory> {
  return world.memo.get(JSON.stringify(['history', feed, feeds]), UNTIL_CHANGE, () => feedHistory(feed, feeds, ctx));
}

/** The guards of a feed, and the distance to each. */
export function guardsFor(feed: string, visit: Visit): Promise<FeedGuards> {
  const { ctx, world, visitor } = visit;
  const losses: Losses = (run, before) =>
    soon(['losses', run.id, before.id], () => sliceLosses(run, before, ctx), visit);
  const key = JSON.stringify(['guards', feed, visitor.feeds]);
  return world.memo.get(key, UNTIL_CHANGE, () => feedGuards(feed, visitor.feeds, ctx, losses));
}

/** A page of the datasets of a login that were proved live. */
export function targetsFor(
  login: string,
  place: { page: number; size: number },
  { ctx, world }: Visit,
): Promise<{ targets: RollbackTarget[]; total: number }> {
  return world.memo.get(JSON.stringify(['targets', login, place]), UNTIL_CHANGE, () => rollbackPage(login, place, ctx));
}
