import { z } from 'zod';
import { RERUN_STAGES } from '../../jobs/decisions/rerun-stages.ts';
import { namedFeed, namedRun } from '../named.ts';
import { MAY } from '../route.ts';
import { tokenOf, type Visit } from '../visit.ts';
import { operation, type ApiOperation } from './operation.ts';
import { ASKED, BEGUN, DONE, RANGE, REASON, WOKEN } from './shapes.ts';

async function runOf(visit: Visit): Promise<string> {
  return (await namedRun(visit)).id;
}

const reasoned = z.strictObject({ reason: REASON });

/** Decisions about one run. */
const ABOUT_RUNS: readonly ApiOperation[] = [
  operation({
    method: 'POST',
    path: '/runs/{run}/approve',
    id: 'approve',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Release a held run: its rows are uploaded, and no guard looks at them again.',
    body: reasoned,
    answer: WOKEN,
    asked: ASKED,
    carryOut: async ({ body }, visit) =>
      visit.call('approve', { run: await runOf(visit), ...tokenOf(visit.visitor), ...body }),
  }),
  operation({
    method: 'POST',
    path: '/runs/{run}/reject',
    id: 'reject',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Drop a run for good that is held, or of which nothing was sent.',
    body: reasoned,
    answer: WOKEN,
    carryOut: async ({ body }, visit) => visit.call('reject', { run: await runOf(visit), ...body }),
  }),
  operation({
    method: 'POST',
    path: '/runs/{run}/columns',
    id: 'takeColumns',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Take columns for the feed and header of a run, as proposed or as given, and read its file again.',
    body: reasoned.extend({ columns: z.record(z.string(), z.string()).optional() }),
    answer: WOKEN.extend({ warnings: z.array(z.string()) }),
    carryOut: async ({ body: { reason, columns } }, visit) => {
      const asked = columns === undefined ? null : Object.entries(columns).map(([key, column]) => ({ key, column }));
      return visit.call('takeColumns', { run: await runOf(visit), columns: asked, reason });
    },
  }),
  operation({
    method: 'POST',
    path: '/runs/{run}/reading',
    id: 'takeReading',
    tag: 'decisions',
    may: MAY.decide,
    summary:
      'Take one of the readings of a run whose file can be read in several ways, for this file, and read it again.',
    body: reasoned.extend({ reading: z.int().min(1) }),
    answer: WOKEN,
    carryOut: async ({ body }, visit) => visit.call('takeReading', { run: await runOf(visit), ...body }),
  }),
  operation({
    method: 'POST',
    path: '/runs/{run}/revoke-columns',
    id: 'revokeColumns',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Take back the columns that were accepted for the header of a run.',
    body: reasoned,
    answer: WOKEN.extend({ readAgain: z.string().nullable() }),
    carryOut: async ({ body }, visit) => visit.call('revokeColumns', { run: await runOf(visit), ...body }),
  }),
  operation({
    method: 'POST',
    path: '/runs/{run}/rerun',
    id: 'rerun',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Run again from a stage, with the archived bytes.',
    body: z.strictObject({ from: z.enum(RERUN_STAGES).default('pull') }),
    answer: BEGUN,
    carryOut: async ({ body: { from } }, visit) => visit.call('rerunRun', { run: await runOf(visit), from }),
  }),
];

const SUMMARIES = {
  pause: 'Stop schedules and uploads.',
  resume: 'Continue after a pause.',
  release: 'End a freeze.',
} as const;

/** Pause, resume and release, of a feed or a login. */
const STANDSTILLS: readonly ApiOperation[] = (['feed', 'login'] as const).flatMap((kind) =>
  (['pause', 'resume', 'release'] as const).map((what) =>
    operation({
      method: 'POST',
      path: `/${kind}s/{${kind}}/${what}`,
      id: `${what}${kind === 'feed' ? 'Feed' : 'Login'}`,
      tag: 'decisions',
      may: MAY.operate,
      summary: SUMMARIES[what],
      body: reasoned,
      answer: DONE,
      carryOut: async ({ params, body }, visit) => {
        if (kind === 'feed') namedFeed(visit);
        await visit.call(what, { name: `${kind}:${params[kind] ?? ''}`, ...body });
        return { done: true };
      },
    }),
  ),
);

const DAYS = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .describe('The first and the last day: 2026-12-24/2027-01-06; or one day.');

/** Absences of suppliers. */
const ABSENCES: readonly ApiOperation[] = [
  operation({
    method: 'POST',
    path: '/feeds/{feed}/away',
    id: 'announceAway',
    tag: 'decisions',
    may: MAY.operate,
    summary: 'Record days on which a supplier delivers nothing: nothing is due then.',
    body: reasoned.extend({ days: DAYS }),
    answer: RANGE,
    carryOut: ({ body }, visit) => visit.call('announceAway', { feed: namedFeed(visit), ...body }),
  }),
  operation({
    method: 'POST',
    path: '/feeds/{feed}/revoke-away',
    id: 'revokeAway',
    tag: 'decisions',
    may: MAY.operate,
    summary: 'Take back days on which a supplier was to deliver nothing.',
    body: reasoned.extend({ days: DAYS }),
    answer: RANGE,
    carryOut: ({ body }, visit) => visit.call('revokeAway', { feed: namedFeed(visit), ...body }),
  }),
];

/** Decisions about a feed, a login or an upload. */
const ABOUT_OTHERS: readonly ApiOperation[] = [
  operation({
    method: 'POST',
    path: '/feeds/{feed}/run',
    id: 'runFeed',
    tag: 'decisions',
    may: MAY.operate,
    summary: 'Run a feed now.',
    answer: BEGUN,
    carryOut: (_given, visit) => visit.call('ingest', { feed: namedFeed(visit) }),
  }),
  operation({
    method: 'POST',
    path: '/logins/{login}/rollback',
    id: 'rollback',
    tag: 'decisions',
    may: MAY.operate,
    summary: 'Make an earlier good dataset live again and freeze the feeds of the login.',
    body: reasoned.extend({ to: z.string().nullable().default(null) }),
    answer: WOKEN.extend({ intent: z.string() }),
    asked: ASKED,
    carryOut: ({ params, body }, visit) =>
      visit.call('rollBack', { login: params['login'] ?? '', ...tokenOf(visit.visitor), ...body }),
  }),
  operation({
    method: 'POST',
    path: '/uploads/{upload}/resolve',
    id: 'resolve',
    tag: 'decisions',
    may: MAY.operate,
    summary: 'Settle an upload whose outcome no look-up could tell.',
    body: reasoned.extend({ as: z.enum(['live', 'lost']) }),
    answer: WOKEN,
    carryOut: ({ params, body }, visit) => visit.call('resolve', { upload: params['upload'] ?? '', ...body }),
  }),
];

/** Everything that can be decided. */
export const DECISIONS: readonly ApiOperation[] = [...ABOUT_RUNS, ...STANDSTILLS, ...ABSENCES, ...ABOUT_OTHERS];
