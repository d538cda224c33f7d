import type { IncidentKind } from '../../incidents.ts';
import type { Outcome, Stage, UploadState } from '../../model.ts';
import type { Db } from '../ledger.ts';
import { OPEN_STATES } from '../schema/schema.ts';

/** How much there is of everything that is worked on, as monitoring asks for it. */
export type WorkCounts = {
  /** Runs that the ledger has, by how they ended; those without an outcome are open. */
  outcomes: { outcome: Outcome; count: number }[];
  /** Open runs, by where they stand. */
  stages: { stage: Stage; count: number }[];
  uploads: { login: string; state: UploadState; count: number }[];
  incidents: { kind: IncidentKind; count: number }[];
  mails: number;
};

/** Counts what is worked on; one grouped query for each. */
export async function workCounts(db: Db): Promise<WorkCounts> {
  const [outcomes, stages, uploads, incidents, mails] = await Promise.all([
    db
      .selectFrom('runs')
      .select(['outcome', (eb) => eb.fn.countAll<number>().as('count')])
      .where('outcome', 'is not', null)
      .groupBy('outcome')
      .execute(),
    db
      .selectFrom('runs')
      .select(['stage', (eb) => eb.fn.countAll<number>().as('count')])
      .where('stage', '<>', 'done')
      .groupBy('stage')
      .execute(),
    db
      .selectFrom('uploads')
      .select(['login', 'state', (eb) => eb.fn.countAll<number>().as('count')])
      .where('state', 'in', OPEN_STATES)
      .groupBy(['login', 'state'])
      .execute(),
    db
      .selectFrom('incidents')
      .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
      .where('recovered_at', 'is', null)
      .groupBy('kind')
      .execute(),
    db
      .selectFrom('mails')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('sent_to', 'is', null)
      .where('given_up_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ]);
  const ended = outcomes.flatMap(({ outcome, count }) => (outcome === null ? [] : [{ outcome, count }]));
  return {
    outcomes: ended,
    stages,
    uploads,
    incidents,
    mails: mails.count,
  };
}

/**
 * How long runs that ended since a time were worked on at each stage: seconds in all, and how many runs. How long one waited for a
 * person is no work.
 */
export async function stageSeconds(db: Db, since: number): Promise<Map<Stage, { seconds: number; runs: number }>> {
  const events = await db
    .selectFrom('runs')
    // Joined in this order: there are many events, and few runs ended lately.
    .crossJoin('events')
    .whereRef('events.run', '=', 'runs.id')
    .select(['events.run', 'events.at', 'events.stage', 'runs.created_at'])
    .where('runs.finished_at', '>=', since)
    .orderBy('events.run')
    .orderBy('events.seq')
    .execute();
  const decisions = await db
    .selectFrom('audit')
    .select(['subject', 'at'])
    .where('subject', 'in', (eb) => eb.selectFrom('runs').select('id').where('finished_at', '>=', since))
    .execute();
  const decided = new Set(decisions.map(({ subject, at }) => `${subject} ${at}`));
  const found = new Map<Stage, { seconds: number; runs: number }>();
  for (const ofRun of Map.groupBy(events, ({ run }) => run).values()) {
    const spent = new Map<Stage, number>();
    let from = ofRun[0]?.created_at ?? 0;
    for (const { run, at, stage } of ofRun) {
      // An event says what was just done: the time before it belongs to its stage, or to the wait for the person who decided it.
      const worked = decided.has(`${run} ${at}`) ? 0 : Math.max(0, at - from);
      spent.set(stage, (spent.get(stage) ?? 0) + worked);
      from = at;
    }
    for (const [stage, ms] of spent) {
      const sum = found.get(stage) ?? { seconds: 0, runs: 0 };
      found.set(stage, { seconds: sum.seconds + ms / 1000, runs: sum.runs + 1 });
    }
  }
  return found;
}
