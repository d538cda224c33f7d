import { serviceFigures, type ServiceFigures } from '../jobs/dossier/service-figures.ts';
import { scorecard } from '../jobs/queries/scorecard.ts';
import { tracePart, type LoginTrace } from '../jobs/queries/trace-part.ts';
import { proposalsOf } from '../jobs/propose/gather.ts';
import type { Proposal } from '../jobs/propose/proposals.ts';
import type { ScorecardInput } from '../report/scorecard/input.ts';
import type { Visit } from './visit.ts';

const DAY = 86_400_000;
/** Over how many days suppliers are scored unless others are asked for. */
export const SCORED_DAYS = 90;
/** Milliseconds. What suppliers did in weeks is not other a minute later. */
const SCORED_EVERY = 60_000;
const TRACED_EVERY = 2000;

/** The scorecards of all suppliers over so many days, for pages and programs alike; at most a minute old. */
export function scorecardOver(
  days: number,
  { ctx, world, language }: Pick<Visit, 'ctx' | 'world' | 'language'>,
): Promise<ScorecardInput> {
  const to = ctx.clock.now();
  return world.memo.get(`scorecard ${days} ${language.name}`, { until: 'time', age: SCORED_EVERY }, () =>
    // A rank is one among all suppliers, also for those who see only some.
    scorecard({ from: to - days * DAY, to, feeds: Object.keys(ctx.config.feeds), language }, ctx),
  );
}

/** How the service did by month over so many days, for pages and programs alike; at most a minute old. */
export function figuresOver(days: number, { ctx, world }: Visit): Promise<ServiceFigures> {
  return world.memo.get(`service ${days}`, { until: 'time', age: SCORED_EVERY }, () =>
    serviceFigures(ctx.clock.now() - days * DAY, ctx),
  );
}

/** What is proposed for a feed, at most a minute old: datasets may have to be read for it. */
export function proposalsFor(feed: string, { ctx, world }: Visit): Promise<Proposal[]> {
  return world.memo.get(`proposals ${feed}`, { until: 'time', age: SCORED_EVERY }, () => proposalsOf(feed, ctx));
}

/** Where a part is at a login, as far as the visitor sees its feeds; the files of all of them are read for it. */
export function traceFor(
  part: { brand: string; oem: string },
  login: string,
  { ctx, world, visitor: { feeds } }: Visit,
): Promise<LoginTrace> {
  const key = JSON.stringify(['trace of a part', part, login, feeds]);
  return world.memo.get(key, { until: 'change', age: TRACED_EVERY }, () => tracePart(part, login, ctx, feeds));
}
