import { Gauge, Registry } from 'prom-client';
import { feedStates } from '../../jobs/standing/feed-state.ts';
import { attendance } from '../../jobs/doctor/attendance.ts';
import { stageSeconds, workCounts } from '../../ledger/maintenance/work-counts.ts';
import { findabilityAnswer } from '../../jobs/findability/answer.ts';
import { lastLooks, lookCalls } from '../../ledger/uploads/findability.ts';
import type { Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

const DAY = 86_400_000;

/** Figures for Prometheus, out of the ledger: whichever process is asked, they are the same. BullMQ's own stand beside them. */
export async function metrics(visit: Visit): Promise<Answer> {
  const text = await visit.world.memo.get('metrics', { until: 'time', age: 5000 }, () => textOf(visit));
  return { text, type: Registry.PROMETHEUS_CONTENT_TYPE };
}

async function textOf({ ctx, call }: Visit): Promise<string> {
  const registry = new Registry();
  const { db } = ctx.ledger;
  const now = await ctx.ledger.now();
  const [counts, stages, feeds, { last }, calls, looks, queue] = await Promise.all([
    workCounts(db),
    stageSeconds(db, now - DAY),
    feedStates(ctx),
    attendance(ctx),
    lookCalls(db, now - DAY),
    lastLooks(db, Object.keys(ctx.config.feeds)),
    call('queueFigures', {}),
  ]);
  const add = figures(registry);
  add(
    'runs',
    'Runs that the ledger has, by outcome',
    counts.outcomes.map(({ outcome, count }) => [{ outcome }, count]),
  );
  add(
    'open_runs',
    'Runs without an end, by the stage that they are at',
    counts.stages.map(({ stage, count }) => [{ stage }, count]),
  );
  add(
    'open_uploads',
    'Uploads without an outcome',
    counts.uploads.map(({ login, state, count }) => [{ login, state }, count]),
  );
  add(
    'open_incidents',
    'Incidents that are not over',
    counts.incidents.map(({ kind, count }) => [{ kind }, count]),
  );
  add('waiting_mails', 'Mails that are not sent yet', [[{}, counts.mails]]);
  add(
    'live_rows',
    'Rows of a feed that were verified as live',
    feeds.map(({ feed, login, live }) => [{ feed, login }, live?.rows ?? 0]),
  );
  add(
    'live_age_seconds',
    'How long ago the rows of a feed were verified as live',
    feeds.flatMap(({ feed, login, live }) =>
      typeof live?.since === 'number' ? [[{ feed, login }, (now - live.since) / 1000] satisfies Value] : [],
    ),
  );
  add(
    'stage_seconds_last_day',
    'Seconds that runs which ended in the last day were worked on at a stage, without waits for people',
    [...stages].map(([stage, { seconds }]) => [{ stage }, seconds]),
  );
  add(
    'stage_runs_last_day',
    'Runs which ended in the last day and were at a stage',
    [...stages].map(([stage, { runs }]) => [{ stage }, runs]),
  );
  add(
    'findability_calls_last_day',
    'How often the search was asked in the last day whether live parts are found',
    calls.map(({ login, calls: count }) => [{ login }, count]),
  );
  add(
    'findability_parts',
    'Live parts of a feed that the search was asked for at the last look, by what it answered',
    [...looks.values()].flatMap((look) => {
      const { feed, login, known, otherBrand, own, missing } = findabilityAnswer(look);
      const found = { known, 'other-brand': otherBrand, own, missing };
      return Object.entries(found).map(([answer, count]): Value => [{ feed, login, answer }, count]);
    }),
  );
  add('sweep_age_seconds', 'How long ago a worker swept', last === undefined ? [] : [[{}, (now - last.at) / 1000]]);
  const own = await registry.metrics();
  return queue === null ? own : `${own}${queue}\n`;
}

type Value = [Record<string, string>, number];

/** Adds a figure with its values, each with its labels. */
function figures(registry: Registry): (name: string, help: string, values: readonly Value[]) => void {
  return (name, help, values) => {
    const labelNames = Object.keys(values[0]?.[0] ?? {});
    const gauge = new Gauge({ name: `offerline_${name}`, help, labelNames, registers: [registry] });
    for (const [labels, value] of values) gauge.set(labels, value);
  };
}
