import type { ExpressionBuilder } from 'kysely';
import type { RunEnd } from '../../wording/managers/run-words.ts';
import { endOfRun } from '../../wording/ops/run-said.ts';
import { shownReason } from '../../wording/reasons/run-reasons.ts';
import type { Db } from '../ledger.ts';
import { named } from '../named.ts';
import type { Database, RunRow } from '../schema/schema.ts';

const GOOD = ['live', 'partial', 'unchanged'] as const;
const BAD = ['held', 'rejected', 'failed'] as const;

/** Since when a feed's contribution stands still because its deliveries did not get through, and how many did not. */
export type Standstill = { since: number; deliveries: number; last: Pick<RunRow, 'id' | 'outcome' | 'reason'> };

/** The same, with how the last of them ended as a code for readers of other languages. */
export type KnownStandstill = { standstill: Standstill; end: RunEnd };

/** The deliveries of each of some feeds that did not get through since its last good one; a feed whose last one did is left out. */
export async function standstills(db: Db, feeds: readonly string[]): Promise<Map<string, KnownStandstill>> {
  const found = feeds.length === 0 ? [] : await selectBad(db, feeds).execute();
  const standing = found.filter(({ deliveries }) => deliveries > 0);
  const runs = await runsBy(
    db,
    standing.flatMap(({ first, last }) => [first ?? '', last ?? '']),
  );
  return new Map(
    standing.flatMap(({ feed, deliveries, ...ids }) => {
      const [first, last] = [runs.get(ids.first ?? ''), runs.get(ids.last ?? '')];
      if (first === undefined || last === undefined) return [];
      const end = endOfRun(last);
      const { reason_code: _code, reason_facts: _facts, options: _options, rows_sha: _rows, ...rest } = last;
      const since = first.finished_at ?? first.created_at;
      return [
        [feed, { standstill: { since, deliveries, last: { ...rest, reason: shownReason(end.reason) } }, end }] as const,
      ];
    }),
  );
}

type Since = Database & { good: { feed: string; at: number } };

/** How many deliveries of each feed were bad since its last good one, and the first and last of them. */
function selectBad(db: Db, feeds: readonly string[]) {
  return db
    .with(
      (cte) => cte('good').materialized(),
      (q) =>
        q
          .selectFrom(named(feeds))
          .select((eb) => [
            'named.column1 as feed',
            eb.fn
              .coalesce(
                eb
                  .selectFrom('runs')
                  .select('runs.created_at')
                  .whereRef('runs.feed', '=', 'named.column1')
                  .where('runs.outcome', 'in', GOOD)
                  .orderBy('runs.created_at', 'desc')
                  .limit(1),
                eb.lit(-1),
              )
              .as('at'),
          ]),
    )
    .selectFrom('good')
    .select((eb) => [
      'good.feed',
      bad(eb)
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('deliveries'),
      bad(eb).select('runs.id').orderBy('runs.created_at').orderBy('runs.id').limit(1).as('first'),
      bad(eb).select('runs.id').orderBy('runs.created_at', 'desc').orderBy('runs.id', 'desc').limit(1).as('last'),
    ])
    .$castTo<{ feed: string; deliveries: number; first: string | null; last: string | null }>();
}

function bad(eb: ExpressionBuilder<Since, 'good'>) {
  return eb
    .selectFrom('runs')
    .whereRef('runs.feed', '=', 'good.feed')
    .whereRef('runs.created_at', '>', 'good.at')
    .where('runs.outcome', 'in', BAD);
}

async function runsBy(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const reason = ['reason', 'reason_code', 'reason_facts', 'options', 'rows_sha'] as const;
  const columns = ['id', 'outcome', ...reason, 'created_at', 'finished_at'] as const;
  const rows = await db
    .selectFrom('runs')
    .select(columns)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
