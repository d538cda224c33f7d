import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partKey } from '../../src/parts/part-key.ts';
import { traceRejections } from '../../src/upload/errors/trace.ts';
import type { TracedRejection } from '../../src/upload/errors/write-rejections.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { fileOf } from './service-files.ts';
import { repetitions } from '../support/repetitions.ts';

const COLUMNS = ['brand', 'oem', 'name', 'tags'];
type Row = { feed: string; line: number; cells: string[] };

const cellOf = fc.constantFrom(
  'ATE',
  'SKF',
  '"Lux"',
  'Lux',
  'Pads',
  'Pads  left',
  'Колодки',
  '3/4" pipe',
  '7',
  '12',
  '',
);
const dataset = fc
  .uniqueArray(fc.tuple(cellOf, fc.nat(200).map(String), cellOf, cellOf), {
    selector: ([brand, oem]) => partKey(brand, oem),
    minLength: 1,
    maxLength: 40,
  })
  .map((rows) => rows.map((cells, at): Row => ({ feed: at % 3 === 0 ? 'north' : 'south', line: at * 2 + 2, cells })));

/** What a describing column may hold, by the number of the row in the dataset (from 1) and of the rejection. */
const DESCRIBING = {
  line: (row: number) => row + 1,
  'line without header': (row: number) => row,
  'line from nought': (row: number) => row - 1,
  ordinal: (_row: number, ordinal: number) => ordinal,
  'ordinal with header': (_row: number, ordinal: number) => ordinal + 1,
  constant: () => 3,
  code: (row: number) => `E${row % 3}`,
  blank: () => '',
};

const shape = fc.record({
  describing: fc.shuffledSubarray(Object.keys(DESCRIBING) as (keyof typeof DESCRIBING)[], { maxLength: 4 }),
  header: fc.constantFrom(
    (n: number) => `col ${n}`,
    (n: number) => ['Severity', 'Row no.', 'Причина', 'errorCode', 'x'][n] ?? '',
  ),
  ours: fc.shuffledSubarray(COLUMNS, { minLength: 1 }),
  quoted: fc.boolean(),
  trimmed: fc.boolean(),
});

function errorsFile(
  rows: Row[],
  rejected: number[],
  how: typeof shape extends fc.Arbitrary<infer T> ? T : never,
): string {
  const { describing, header, ours, quoted, trimmed } = how;
  const write = (cells: unknown[]) =>
    cells.map((cell) => (quoted ? `"${String(cell).replaceAll('"', '""')}"` : String(cell))).join('\t');
  // The last describing column is what tells the test which row was meant.
  const head = [...describing.map((_name, at) => header(at)), 'meant', ...ours];
  const lines = rejected.map((at, ordinal) => {
    const cells = ours.map((column) => rows[at]?.cells[COLUMNS.indexOf(column)] ?? '');
    const shown = trimmed ? cells.map((cell) => cell.trim().replaceAll(/\s+/g, ' ')) : cells;
    return [...describing.map((name) => DESCRIBING[name](at + 1, ordinal + 1)), `row-${at}`, ...shown];
  });
  return [head, ...lines].map((cells) => `${write(cells)}\n`).join('');
}

/** Exact and right, or ambiguous with the right row among its candidates. */
function isHonest(one: TracedRejection & { feed: string }, rows: Row[]): boolean {
  const meant = rows[Number(/row-(\d+)/.exec(one.message)?.[1])]!;
  const isMeant = (place: { feed: string; line: number | null }) =>
    place.feed === meant.feed && place.line === meant.line;
  if (one.match === 'exact') return isMeant(one);
  const { candidates = [], fits = 0 } = one;
  return one.match === 'ambiguous' && fits > 1 && (fits > candidates.length || candidates.some(isMeant));
}

test('any rejection of any dataset, in whatever shape, is traced to the row that was meant or to none', async () => {
  let settled = 0;
  await fc.assert(
    fc.asyncProperty(dataset, fc.infiniteStream(fc.nat(1000)), fc.nat(40), shape, async (rows, order, count, how) => {
      const rejected = [...new Set([...order.take(count + 1)].map((n) => n % rows.length))];
      const folder = tempFolder();
      const outputs = { north: join(folder, 'north'), south: join(folder, 'south') };
      const traced = await traceRejections({
        errorsPath: fileOf(errorsFile(rows, rejected, how), 'errors'),
        indexPath: fileOf(
          rows.map(({ feed, line, cells }) => `${[feed, line, ...cells].join('\t')}\n`).join(''),
          'index',
        ),
        columns: COLUMNS,
        tagSeparator: ',',
        tagColumn: 'tags',
        outputs,
      });
      expect(traced.unreadable).toBeNull();
      const told = Object.entries(outputs).flatMap(([feed, path]) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => Object.assign(JSON.parse(line) as TracedRejection, { feed })),
      );
      const byPart = how.ours.includes('brand') && how.ours.includes('oem');
      expect(told.filter((one) => !isHonest(one, rows))).toEqual([]);
      if (!byPart) settled += told.filter(({ match }) => match === 'exact').length;
      expect(new Set(told.map(({ message }) => /row-\d+/.exec(message)?.[0])).size).toBe(rejected.length);
      const exact = told.filter(({ match }) => match === 'exact').length;
      expect(Object.values(traced.rejectedRows).reduce((sum, rows_) => sum + rows_, 0)).toBe(exact);
    }),
    { numRuns: repetitions(300) },
  );
  expect(settled).toBeGreaterThan(0);
});

/** Twenty rows of which ten have a name of their own, and ten share one. */
const HALF = Array.from({ length: 20 }, (_, at): Row => {
  return {
    feed: at < 10 ? 'north' : 'south',
    line: at + 2,
    cells: ['ATE', String(at), at % 2 === 0 ? `Disc ${at}` : 'Pads', ''],
  };
});

async function halfTraced(numbers: (at: number, ordinal: number) => number, rejected: number[]) {
  const folder = tempFolder();
  const outputs = { north: join(folder, 'north'), south: join(folder, 'south') };
  const lines = rejected.map((at, ordinal) => `${numbers(at, ordinal)}\tbad\t${HALF[at]?.cells[2]}\n`);
  const traced = await traceRejections({
    errorsPath: fileOf(`no\tmessage\tname\n${lines.join('')}`, 'errors'),
    indexPath: fileOf(HALF.map(({ feed, line, cells }) => `${[feed, line, ...cells].join('\t')}\n`).join(''), 'index'),
    columns: COLUMNS,
    tagSeparator: ',',
    tagColumn: null,
    outputs,
  });
  const south = readFileSync(outputs.south, 'utf8').split('\n').filter(Boolean);
  return { traced, last: JSON.parse(south.at(-1) ?? '{}') as TracedRejection };
}

test.each([
  ['the header counted', (at: number) => at + 2],
  ['the header not counted', (at: number) => at + 1],
  ['from nought', (at: number) => at],
])('a column that proves to be the line number settles what fits several rows: %s', async (_how, numbers) => {
  const { traced, last } = await halfTraced(numbers, [8, 2, 4, 16, 0, 6, 13]);
  expect(last).toMatchObject({ match: 'exact', line: 15 });
  expect(traced).toMatchObject({ untraced: 0, rejectedRows: { north: 5, south: 2 } });
});

test.each<[string, (at: number, ordinal: number) => number, number[]]>([
  ['one of its numbers is wrong', (at) => (at === 16 ? 3 : at + 2), [8, 2, 4, 16, 0, 6, 13]],
  ['it counts the rejections', (_at, ordinal) => ordinal + 1, [0, 2, 4, 6, 8, 10, 13]],
  ['two rows could agree by chance', (at) => at + 2, [8, 2, 13]],
  ['it names a row that does not fit', (at) => (at === 13 ? 4 : at + 2), [8, 2, 4, 16, 0, 6, 13]],
])('it settles nothing when %s', async (_why, numbers, rejected) => {
  const { traced, last } = await halfTraced(numbers, rejected);
  expect(last).toMatchObject({ match: 'ambiguous', line: null, fits: 10 });
  expect(last.candidates).toContainEqual({ feed: 'south', line: 15 });
  expect(traced.untraced).toBe(1);
});
