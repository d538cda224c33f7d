import { z } from 'zod';
import { OfferlineError } from '../../errors.ts';
import { rollbackTargets } from '../../jobs/decisions/rollback-targets.ts';
import { figuresAnswer } from '../../jobs/dossier/service-figures.ts';
import { listRuns } from '../../jobs/standing/lists/runs.ts';
import { allFeedStates } from '../../jobs/standing/feed-state.ts';
import { incidentAnswers } from '../../jobs/standing/incident-answer.ts';
import { loginStates } from '../../jobs/standing/login-state.ts';
import { statusAnswer, statusOf } from '../../jobs/standing/status.ts';
import { OUTCOMES } from '../../jobs/standing/tone.ts';
import { listIncidents } from '../../ledger/alerts/incidents.ts';
import { namedIncident, namedRun } from '../named.ts';
import { MAY } from '../route.ts';
import { seenAnswer } from '../seen-run.ts';
import { figuresOver, SCORED_DAYS, scorecardOver, traceFor } from '../shared-answers.ts';
import { sees, type Visit } from '../visit.ts';
import { operation, type ApiOperation } from './operation.ts';
import { answerOfCommand, listOfCommand } from './shapes.ts';

/** Fails with `not-found` for a feed or login that is not in the configuration; who sees some feeds is not told which others there are. */
function assertKnown({ feed, login }: { feed?: string | undefined; login?: string | undefined }, visit: Visit): void {
  const { feeds, logins } = visit.ctx.config;
  if (visit.visitor.feeds !== null) return;
  for (const [what, name, known] of [
    ['feed', feed, feeds],
    ['login', login, logins],
  ] as const)
    if (name !== undefined && !Object.hasOwn(known, name))
      throw new OfferlineError('not-found', `There is no ${what} "${name}". Known: ${Object.keys(known).join(', ')}.`);
}

/** Everything that can be asked. */
export const READS: readonly ApiOperation[] = [
  operation({
    method: 'GET',
    path: '/status',
    id: 'status',
    tag: 'state',
    may: MAY.see,
    summary: 'Each login and feed in one line, worst first.',
    answer: answerOfCommand('status'),
    carryOut: async (_given, { ctx, world, visitor: { feeds } }) => {
      const key = JSON.stringify(['status in UTC', feeds]);
      const status = await world.memo.get(key, { until: 'change', age: 2000 }, () => statusOf(ctx, { scope: feeds }));
      return statusAnswer(status);
    },
  }),
  operation({
    method: 'GET',
    path: '/feeds',
    id: 'feeds',
    tag: 'state',
    may: MAY.see,
    summary: 'The state of each feed.',
    answer: listOfCommand('feeds'),
    carryOut: async (_given, visit) => {
      const { feeds, leaving } = await allFeedStates(visit.ctx);
      return [...feeds, ...leaving].filter(({ feed }) => sees(feed, visit));
    },
  }),
  operation({
    method: 'GET',
    path: '/logins',
    id: 'logins',
    tag: 'state',
    may: MAY.seeAll,
    summary: 'The state of each login.',
    answer: listOfCommand('logins'),
    carryOut: (_given, { ctx }) => loginStates(ctx),
  }),
  operation({
    method: 'GET',
    path: '/logins/{login}/rollback-targets',
    id: 'rollbackTargets',
    tag: 'state',
    may: MAY.seeAll,
    summary: 'The datasets that a login could go back to, the newest first.',
    answer: listOfCommand('rollback LOGIN --list'),
    carryOut: async ({ params: { login = '' } }, visit) => {
      assertKnown({ login }, visit);
      return rollbackTargets(login, visit.ctx);
    },
  }),
  operation({
    method: 'GET',
    path: '/incidents',
    id: 'incidents',
    tag: 'state',
    may: MAY.see,
    summary: 'What is wrong: since when, what it means, and what to do.',
    query: z.strictObject({
      all: z.stringbool().optional(),
      feed: z.string().optional(),
      login: z.string().optional(),
    }),
    answer: listOfCommand('incidents'),
    carryOut: async ({ query: { all = false, feed, login } }, visit) => {
      assertKnown({ feed, login }, visit);
      const filter = { all, ...(feed === undefined ? {} : { feed }), ...(login === undefined ? {} : { login }) };
      const rows = await listIncidents(visit.ctx.ledger.db, filter);
      return incidentAnswers(
        rows.filter((row) => sees(row.feed, visit)),
        visit.ctx,
      );
    },
  }),
  operation({
    method: 'GET',
    path: '/incidents/{incident}',
    id: 'incident',
    tag: 'state',
    may: MAY.see,
    summary: 'One incident: who works on it, and what was written about it.',
    answer: answerOfCommand('incidents'),
    carryOut: async (_given, visit) => (await incidentAnswers([await namedIncident(visit)], visit.ctx))[0],
  }),
  operation({
    method: 'GET',
    path: '/runs',
    id: 'runs',
    tag: 'runs',
    may: MAY.see,
    summary: 'Runs, the newest first.',
    query: z.strictObject({
      feed: z.string().optional(),
      login: z.string().optional(),
      outcome: z.enum(OUTCOMES).optional(),
      since: z.iso.datetime().optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(100),
    }),
    answer: listOfCommand('runs'),
    carryOut: async ({ query: { feed, login, outcome, since, limit } }, visit) => {
      assertKnown({ feed, login }, visit);
      const filter = {
        feeds: visit.visitor.feeds,
        feed,
        login,
        outcomes: outcome === undefined ? undefined : [outcome],
        since: since === undefined ? undefined : Date.parse(since),
      };
      const { rows } = await listRuns(filter, { size: limit }, visit.ctx);
      return rows.map(({ end: _end, ...row }) => row);
    },
  }),
  operation({
    method: 'GET',
    path: '/runs/{run}',
    id: 'run',
    tag: 'runs',
    may: MAY.see,
    summary: 'One run: its account, upload, receipt and rejections.',
    answer: answerOfCommand('show RUN'),
    carryOut: async (_given, visit) => seenAnswer(await namedRun(visit), visit),
  }),
  operation({
    method: 'GET',
    path: '/trace',
    id: 'trace',
    tag: 'parts',
    may: MAY.seeAll,
    summary: 'Where is my part? Any spelling of brand and number.',
    query: z.strictObject({
      brand: z.string().min(1).max(200),
      number: z.string().min(1).max(200),
      login: z.string().optional(),
    }),
    answer: answerOfCommand('trace BRAND NUMBER'),
    carryOut: async ({ query: { brand, number: oem, login } }, visit) => {
      assertKnown({ login }, visit);
      const { ctx } = visit;
      const logins = Object.keys(ctx.config.logins).filter((name) => login === undefined || name === login);
      const traces = [];
      for (const name of logins) traces.push(await traceFor({ brand, oem }, name, visit));
      return { brand, oem, sandbox: ctx.sandbox, logins: traces };
    },
  }),
  operation({
    method: 'GET',
    path: '/scorecard',
    id: 'scorecard',
    tag: 'suppliers',
    may: MAY.see,
    summary: 'How suppliers deliver.',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(400).default(SCORED_DAYS) }),
    answer: answerOfCommand('scorecard'),
    carryOut: async ({ query: { days } }, visit) => {
      const { from, to, scores, sandbox } = await scorecardOver(days, visit);
      const suppliers = scores.filter(({ feed }) => sees(feed, visit));
      return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), sandbox, suppliers };
    },
  }),
  operation({
    method: 'GET',
    path: '/service',
    id: 'service',
    tag: 'state',
    may: MAY.seeAll,
    summary: 'How the service did by month: time to process, stalls, aborted uploads, errors.',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(400).default(SCORED_DAYS) }),
    answer: answerOfCommand('service'),
    carryOut: async ({ query: { days } }, visit) => figuresAnswer(await figuresOver(days, visit)),
  }),
];
