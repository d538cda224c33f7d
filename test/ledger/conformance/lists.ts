import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loginNames } from '../../../bench/web/fill-ledger.ts';
import { INCIDENTS, SEVERITIES, type IncidentKind } from '../../../src/incidents.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { auditPage } from '../../../src/ledger/lists/audit-page.ts';
import { incidentsPage } from '../../../src/ledger/lists/incidents-page.ts';
import type { Page, PageOf } from '../../../src/ledger/lists/pages.ts';
import { runsPage, type RunFilter } from '../../../src/ledger/lists/runs-page.ts';
import { uploadsPage } from '../../../src/ledger/lists/uploads-page.ts';
import type { Outcome } from '../../../src/model.ts';
import { END, FEEDS, fillSmall, SMALL } from '../../support/filled-ledger.ts';
import { openAt, type Engine } from './engine.ts';
import { repetitions } from '../../support/repetitions.ts';

const DAY = 86_400_000;

const scope = fc.option(fc.subarray(FEEDS));
const size = fc.integer({ min: 1, max: 60 });
const since = fc.option(fc.integer({ min: END - 95 * DAY, max: END }), { nil: undefined });
const outcomes = fc.option(fc.subarray<Outcome>(['live', 'partial', 'held', 'failed', 'unchanged']), {
  nil: undefined,
});

async function filled({ place }: Engine): Promise<Ledger> {
  const ledger = await openAt(await place());
  await fillSmall(ledger);
  return ledger;
}

/** All rows of a list, page by page: on from the first page, and back from the last. */
async function walk<Row>(ask: (page: PageOf) => Promise<Page<Row>>, of: number): Promise<{ on: Row[]; back: Row[] }> {
  let page = await ask({ size: of });
  expect(page.previous).toBeNull();
  const on = [...page.rows];
  while (page.next !== null) {
    page = await ask({ size: of, after: page.next });
    on.push(...page.rows);
  }
  const back = [...page.rows];
  while (page.previous !== null) {
    page = await ask({ size: of, before: page.previous });
    back.unshift(...page.rows);
  }
  expect(page.total).toBe(on.length);
  return { on, back };
}

/** What every ledger promises of lists: each row that matches is on one page, in order, whichever way one goes. */
export function listsConformance(engine: Engine): void {
  const { name } = engine;

  test(`${name}: pages of runs give each run that matches once, newest first`, async () => {
    const ledger = await filled(engine);
    const all = await ledger.db.selectFrom('runs').selectAll().orderBy('created_at', 'desc').execute();
    const login = fc.option(fc.constantFrom(...loginNames(SMALL)), { nil: undefined });
    const open = fc.option(fc.boolean(), { nil: undefined });
    const text = fc.constantFrom(undefined, '', 'XLSX', 'no file', '%', '_', 'Süd', all[7]!.id.slice(3, 12));
    const filters = fc.record({ feeds: scope, login, outcomes, open, since, text });
    const matches = (run: (typeof all)[number], filter: RunFilter) =>
      (filter.feeds === null || filter.feeds.includes(run.feed)) &&
      (filter.login === undefined || filter.login === run.login) &&
      (filter.outcomes === undefined || filter.outcomes.includes(run.outcome!)) &&
      (filter.open !== true || run.stage !== 'done') &&
      (filter.since === undefined || run.created_at >= filter.since) &&
      [run.id, run.delivery_name ?? '', run.reason ?? ''].some((of) =>
        of.toLowerCase().includes((filter.text ?? '').toLowerCase()),
      );
    await fc.assert(
      fc.asyncProperty(filters, size, async (filter, of) => {
        const expected = all.filter((run) => matches(run, filter)).map(({ id }) => id);
        const { on, back } = await walk((page) => runsPage(ledger, filter, page), of);
        expect(on.map(({ id }) => id)).toEqual(expected);
        expect(back).toEqual(on);
      }),
      { numRuns: repetitions(40) },
    );
  });

  test(`${name}: pages of uploads give each upload that matches once, newest first`, async () => {
    const { db } = await filled(engine);
    const all = await db
      .selectFrom('uploads')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const logins = fc.option(fc.subarray(loginNames(SMALL)));
    const open = fc.option(fc.boolean(), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.record({ logins, open, since }), size, async (filter, of) => {
        const expected = all
          .filter(({ login }) => filter.logins === null || filter.logins.includes(login))
          .filter(({ closed_at }) => filter.open !== true || closed_at === null)
          .filter(({ created_at }) => filter.since === undefined || created_at >= filter.since);
        const { on, back } = await walk((page) => uploadsPage(db, filter, page), of);
        expect(on.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(back).toEqual(on);
      }),
      { numRuns: repetitions(20) },
    );
  });

  test(`${name}: pages of incidents give each that matches once, the gravest first`, async () => {
    const { db } = await filled(engine);
    const all = await db.selectFrom('incidents').selectAll().execute();
    const kinds = fc.option(fc.subarray<IncidentKind>(['delivery', 'lost-rows', 'expiry', 'receipt']), {
      nil: undefined,
    });
    const rank = (kind: IncidentKind) => SEVERITIES.indexOf(INCIDENTS[kind].severity);
    await fc.assert(
      fc.asyncProperty(fc.record({ feeds: scope, open: fc.boolean(), kinds }), size, async (filter, of) => {
        const expected = all
          .filter(({ recovered_at }) => (recovered_at === null) === filter.open)
          .filter(({ feed }) => filter.feeds === null || (feed !== null && filter.feeds.includes(feed)))
          .filter(({ kind }) => filter.kinds === undefined || filter.kinds.includes(kind));
        const { on, back } = await walk((page) => incidentsPage(db, filter, page), of);
        expect(on.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
        expect(back).toEqual(on);
        const graver = on.map(({ kind, opened_at, recovered_at }) =>
          filter.open ? rank(kind) * 1e14 + opened_at : -(recovered_at ?? 0),
        );
        expect(graver).toEqual(graver.toSorted((a, b) => a - b));
      }),
      { numRuns: repetitions(20) },
    );
  });

  test(`${name}: pages of decisions give each that matches once, newest first, and none about other feeds`, async () => {
    const { db } = await filled(engine);
    const all = await db.selectFrom('audit').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').execute();
    const runs = await db.selectFrom('runs').select(['id', 'feed']).execute();
    const feedOf = new Map([
      ...runs.map(({ id, feed }) => [id, feed] as const),
      ...FEEDS.map((feed) => [`feed ${feed}`, feed] as const),
    ]);
    const who = fc.constantFrom(undefined, 'anna', 'ольга', 'nobody');
    await fc.assert(
      fc.asyncProperty(fc.record({ feeds: scope, who, since }), size, async (filter, of) => {
        const expected = all
          .filter(({ subject }) => filter.feeds === null || filter.feeds.includes(feedOf.get(subject) ?? ''))
          .filter((decision) => filter.who === undefined || decision.who === filter.who)
          .filter(({ at }) => filter.since === undefined || at >= filter.since);
        const { on, back } = await walk((page) => auditPage(db, filter, page), of);
        expect(on).toEqual(expected);
        expect(back).toEqual(on);
      }),
      { numRuns: repetitions(20) },
    );
  });

  test(`${name}: rows that come while somebody reads on neither repeat nor hide others`, async () => {
    const ledger = await filled(engine);
    const first = await runsPage(ledger, { feeds: null }, { size: 10 });
    const second = await runsPage(ledger, { feeds: null }, { size: 10, after: first.next ?? '' });
    const [newest] = await ledger.db.selectFrom('runs').selectAll().where('id', '=', first.rows[0]!.id).execute();
    await ledger.db
      .insertInto('runs')
      .values({ ...newest!, id: 'newer', created_at: END + 1 })
      .execute();
    expect((await runsPage(ledger, { feeds: null }, { size: 10, after: first.next ?? '' })).rows).toEqual(second.rows);
    expect((await runsPage(ledger, { feeds: null }, { size: 1 })).rows).toMatchObject([{ id: 'newer' }]);
  });

  test(`${name}: a page at a place that is none is a mistake of the user`, async () => {
    const ledger = await filled(engine);
    for (const after of ['', 'x', '1~', '1~2~3', "1' or 1=1~x"]) {
      await expect(runsPage(ledger, { feeds: null }, { size: 10, after })).rejects.toMatchObject({ code: 'usage' });
    }
  });
}
