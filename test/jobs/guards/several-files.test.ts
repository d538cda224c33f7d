import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingFiles, oldPartner, olderThanAllowed, shrunkPartner } from '../../../src/jobs/guards/several-files.ts';
import { pullDelivery } from '../../../src/jobs/run/pull-stage.ts';
import { noteTaken } from '../../../src/ledger/runs/taken-files.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { RunRow } from '../../../src/ledger/schema/schema.ts';
import { runSentence } from '../../../src/wording/reasons/run-reasons.ts';
import { rowCounts } from '../../support/answers.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 29, 12);
const DIALECT = { charset: 'auto', delimiter: 'auto', header: 'auto' } as const;

const named = (pattern: string) => [
  { role: 'list', pattern: 'prices*', isEntry: false },
  { role: 'stock', pattern, isEntry: false },
];
const within = (maxAge: number) => ({ stock: { dialect: DIALECT, maxAge } });

test.each([
  ['as old as allowed', 'stock*', { name: 'stock.csv', mtimeMs: NOON - HOUR }, null],
  ['older', 'stock*', { name: 'stock.csv', mtimeMs: NOON - HOUR - 1 }, NOON - HOUR - 1],
  ['without a time', 'stock*', { name: 'stock.csv', mtimeMs: null }, null],
  ['of today by its name', 'stock_{yyyy-MM-dd}*', { name: 'stock_2026-11-29.csv', mtimeMs: NOON }, null],
  [
    'copied anew, of days ago by its name',
    'stock_{yyyy-MM-dd}*',
    { name: 'stock_2026-11-26.csv', mtimeMs: NOON },
    Date.UTC(2026, 10, 27),
  ],
  ['of a time by its name', 'stock_{yyyyMMddHH}*', { name: 'stock_2026112910.csv', mtimeMs: null }, NOON - 2 * HOUR],
  [
    'of days ago by a clock without a zone',
    'stock*',
    { name: 'stock.csv', mtimeMs: null, shownAt: NOON - 72 * HOUR },
    NOON - 48 * HOUR,
  ],
  ['of yesterday by such a clock', 'stock*', { name: 'stock.csv', mtimeMs: null, shownAt: NOON - 20 * HOUR }, null],
  ['changed in the future', 'stock*', { name: 'stock.csv', mtimeMs: NOON + 72 * HOUR }, null],
  [
    'changed in the future, of days ago by its name',
    'stock_{yyyy-MM-dd}*',
    { name: 'stock_2026-11-26.csv', mtimeMs: NOON + 72 * HOUR },
    Date.UTC(2026, 10, 27),
  ],
  [
    'of the future by its name, changed days ago',
    'stock_{yyyy-MM-dd}*',
    { name: 'stock_2062-11-29.csv', mtimeMs: NOON - 72 * HOUR },
    NOON - 72 * HOUR,
  ],
  ['with a date without a year', 'stock_{MM-dd}*', { name: 'stock_11-02.csv', mtimeMs: NOON }, null],
])('a partner %s', (_, pattern, file, at) => {
  const files = [{ name: 'prices.csv', mtimeMs: 0 }, file];
  const found = olderThanAllowed(files, named(pattern), within(HOUR), NOON);
  expect(found).toEqual(at === null ? null : { role: 'stock', file: file.name, at, maxAge: HOUR });
});

test('a run is held for a partner that was too old when it was taken, unless a person gave the file', async () => {
  const files = { list: { pattern: 'prices*' }, stock: { pattern: 'stock*' } };
  const feed = {
    login: 'main',
    source: { type: 'directory', path: 'inbox', files },
    join: { on: ['oem'], partners: { stock: { maxAge: '24h' } } },
  };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: feed } });
  const runOf = async (options: Record<string, unknown> = {}) => {
    const asked = { feed: 'north', login: 'main', cause: 'schedule', options, sandbox: false } as const;
    const id = await createRun(ctx.ledger.db, { ...asked, now: NOON });
    const taken = ['prices.csv', 'stock.csv'].map((name, at) => {
      const listed = { name, size: 1, mtimeMs: NOON - at * 30 * HOUR };
      return { identity: `${name} ${id}`, listed };
    });
    const base = { feed: 'north', origin: 'place', run: id, at: NOON, sha256: 'a', superseded: [], acknowledge: false };
    await noteTaken(ctx.ledger.db, { ...base, taken });
    return getRun(ctx.ledger.db, id);
  };
  const reason = await oldPartner(await runOf(), ctx);
  expect(reason).toEqual({
    code: 'joined-file-old',
    feed: 'north',
    role: 'stock',
    file: 'stock.csv',
    at: NOON - 30 * HOUR,
    maxAge: 24 * HOUR,
  });
  expect(runSentence(reason!)).toBe(
    'stock.csv is of 2026-11-28 06:00:00 UTC and so older than 24 h (feeds.north.join.partners.stock.maxAge): its values may be wrong by now. ' +
      'Ask the supplier for a newer one; if it is right all the same, approve this run',
  );
  expect(await oldPartner(await runOf({ of: 'earlier' }), ctx)).toBeNull();
});

test('a run is held for its old partner although the next run has taken that again', async () => {
  const inbox = tempFolder();
  const files = { list: { pattern: 'prices*' }, stock: { pattern: 'stock*', stays: true } };
  const feed = {
    login: 'main',
    source: { type: 'directory', path: inbox, settle: '0s', files },
    join: { on: ['oem'], partners: { stock: { maxAge: '24h' } } },
  };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: feed } });
  const pulled = async (name: string) => {
    writeFileSync(join(inbox, name), `brand;oem\nATE;${name}\n`);
    const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
    const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
    await pullDelivery(await getRun(ctx.ledger.db, id), ctx, new AbortController().signal);
    return id;
  };
  const stock = join(inbox, 'stock.csv');
  writeFileSync(stock, 'oem;qty\n1;2\n');
  const old = (ctx.clock.now() - 30 * HOUR) / 1000;
  utimesSync(stock, old, old);
  const first = await pulled('prices-1.csv');
  const second = await pulled('prices-2.csv');
  for (const id of [first, second]) {
    expect(await oldPartner(await getRun(ctx.ledger.db, id), ctx)).toMatchObject({ role: 'stock', file: 'stock.csv' });
  }
});

test.each([
  ['whose time lies in the future', { mtimeMs: NOON + 9000 * HOUR }],
  ['without a time', { mtimeMs: null }],
])('a run is held for a partner %s that an earlier run took as it is, longer ago than allowed', async (_, times) => {
  const files = { list: { pattern: 'prices*' }, stock: { pattern: 'stock*', stays: true } };
  const feed = {
    login: 'main',
    source: { type: 'directory', path: 'inbox', files },
    join: { on: ['oem'], partners: { stock: { maxAge: '24h' } } },
  };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: feed } });
  const reasonAt = async (hours: number, size: number) => {
    const now = NOON + hours * HOUR;
    const listed = [
      { name: 'prices.csv', size: 1, mtimeMs: now },
      { name: 'stock.csv', size, ...times },
    ];
    const asked = { feed: 'north', login: 'main', cause: 'schedule', sandbox: false } as const;
    const id = await createRun(ctx.ledger.db, { ...asked, options: { files: listed }, now });
    await updateRun(ctx.ledger.db, id, { taken_at: now });
    return oldPartner(await getRun(ctx.ledger.db, id), ctx);
  };
  expect([await reasonAt(0, 5), await reasonAt(12, 5), await reasonAt(24, 5)]).toEqual([null, null, null]);
  expect(await reasonAt(37, 5)).toMatchObject({ role: 'stock', file: 'stock.csv', at: NOON + 12 * HOUR });
  expect(await reasonAt(38, 6)).toBeNull();
});

const countsWith = (joined: number, withoutPartner: number, role = 'stock'): Pick<RunRow, 'counts'> => ({
  counts: {
    ...rowCounts({}),
    joined: [
      {
        role,
        file: `${role}.csv`,
        columns: ['Bestand'],
        rows: joined,
        unusable: 0,
        repeated: 0,
        joined,
        withoutPartner,
        withoutRow: 0,
        examples: { repeated: [], withoutPartner: [], withoutRow: [] },
      },
    ],
  },
});

test.each([
  ['as much as ever', countsWith(380, 20), countsWith(380, 20), false],
  ['half, which is allowed', countsWith(380, 20), countsWith(190, 210), false],
  ['what is left of a file that broke off', countsWith(380, 20), countsWith(20, 380), true],
  ['less of a list that became shorter', countsWith(380, 20), countsWith(95, 5), false],
  ['a smaller share of a list that became longer', countsWith(380, 20), countsWith(380, 4000), false],
  ['nothing that can be compared: it is new', { counts: rowCounts({}) }, countsWith(20, 380), false],
  ['nothing that can be compared: it has another name', countsWith(380, 20, 'prices'), countsWith(20, 380), false],
  ['nothing that can be compared: nothing is live', null, countsWith(20, 380), false],
])('a partner brings %s', (_, live, run, isHeld) => {
  const reason = shrunkPartner({ feed: 'north', ...run }, live, { maxRowDrop: 0.5 });
  expect(reason?.code ?? null).toBe(isHeld ? 'joined-file-shrank' : null);
  expect(shrunkPartner({ feed: 'north', ...run }, live, {})).toBeNull();
  const change = { base: 2, carried: 1, added: 0, changed: 1, same: 0, removed: 0, absent: 0 };
  const changes = { feed: 'north', counts: { ...run.counts!, change } };
  expect(shrunkPartner(changes, live, { maxRowDrop: 0.5 })).toBeNull();
});

const fileOf = (file: string) => ({
  file,
  read: 1,
  expanded: 0,
  accepted: 1,
  rejectedLocally: 0,
  duplicates: 0,
  leftOut: 0,
  skipped: 0,
});
const runWith = (...files: string[]) => ({
  id: 'run',
  feed: 'north',
  delivery_name: 'makers.zip',
  entry: files.length === 1 ? files[0]! : null,
  counts: { ...rowCounts({}), ...(files.length === 1 ? {} : { files: files.map(fileOf) }) },
});

test.each([
  ['all files', ['ate 11.csv', 'trw 11.csv'], ['TRW 12.csv', 'ate 12.csv'], []],
  ['one more', ['ate 11.csv', 'trw 11.csv'], ['ate 12.csv', 'skf 12.csv', 'trw 12.csv'], []],
  ['one less', ['ate 11.csv', 'skf 11.csv', 'trw 11.csv'], ['ate 12.csv', 'skf 12.csv'], ['trw 11.csv']],
  ['the only one that is left', ['ate 11.csv', 'trw 11.csv'], ['ate 12.csv'], ['trw 11.csv']],
  ['fewer parts of a list', ['part 1.csv', 'part 2.csv', 'part 3.csv'], ['part 1.csv', 'part 2.csv'], []],
  ['only the first part, which has no number', ['list.csv', 'list_2.csv'], ['list.csv'], []],
  ['one of two with the same name', ['prices.csv', 'prices (2).csv'], ['prices.csv'], []],
  ['files of other names', ['ate 11.csv', 'trw 11.csv'], ['ate 12.csv', 'ZF 12.csv'], []],
  ['one file as before', ['ate 11.csv'], ['trw 11.csv'], []],
])('a delivery has %s', (_, before, now, missing) => {
  const reason = missingFiles(runWith(...now), runWith(...before));
  expect(reason).toEqual(
    missing.length === 0
      ? null
      : { code: 'files-missing', feed: 'north', file: 'makers.zip', missing, more: 0, run: 'run' },
  );
});

test('changes need not have all files, and the first delivery has nothing to be compared with', () => {
  const change = { base: 2, carried: 1, added: 0, changed: 1, same: 0, removed: 0, absent: 0 };
  const ofChanges = { ...runWith('ate.csv'), counts: { ...rowCounts({}), change } };
  expect(missingFiles(ofChanges, runWith('ate.csv', 'trw.csv'))).toBeNull();
  expect(missingFiles(runWith('ate.csv'), null)).toBeNull();
});
