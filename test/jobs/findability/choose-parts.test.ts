import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseParts, type ChoiceInput } from '../../../src/jobs/findability/choose-parts.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Row = [feed: string, brand: string, oem: string];

/** A dataset of brand and number, as the archive keeps its index. */
function table(rows: readonly Row[]): ChoiceInput['live'] {
  const indexPath = join(tempFolder(), 'index');
  writeFileSync(indexPath, rows.map(([feed, ...cells], at) => `${feed}\t${at + 2}\t${cells.join('\t')}\n`).join(''));
  return { indexPath, errorsPath: null, columns: ['brand', 'oem'] };
}

function choose(
  rows: readonly Row[],
  { before, ...more }: { before?: readonly Row[] } & Partial<Omit<ChoiceInput, 'before'>> = {},
) {
  const earlier = before === undefined ? null : { table: table(before), rows: before.length };
  return chooseParts({ seed: 'seed', feed: 'north', size: 10, live: table(rows), before: earlier, again: [], ...more });
}

const many = (brand: string, count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, at) => ['north', brand, `A${1000 + from + at}`]);

const brandsIn = ({ chosen }: Awaited<ReturnType<typeof choose>>) =>
  Object.fromEntries([...Map.groupBy(chosen, ({ brand }) => brand)].map(([brand, parts]) => [brand, parts.length]));

test('each brand has as many as its share is', async () => {
  const choice = await choose([...many('BOSCH', 500), ...many('ATE', 300), ...many('TRW', 200)]);
  expect(choice).toMatchObject({ parts: 1000, newParts: 0 });
  expect(brandsIn(choice)).toEqual({ BOSCH: 5, ATE: 3, TRW: 2 });
});

test('parts of other feeds are not looked for', async () => {
  const rows: Row[] = [...many('BOSCH', 5), ['south', 'ATE', 'B1000']];
  expect(brandsIn(await choose(rows))).toEqual({ BOSCH: 5 });
});

test('a quarter of the places is for parts that are new', async () => {
  const before = many('BOSCH', 1000);
  const choice = await choose([...before, ...many('BOSCH', 20, 5000)], { before, size: 100 });
  expect(choice).toMatchObject({ parts: 1020, newParts: 20 });
  expect(choice.chosen.filter(({ isNew }) => isNew)).toHaveLength(20);
  const more = await choose([...before, ...many('BOSCH', 900, 5000)], { before, size: 100 });
  expect(more.chosen.filter(({ isNew }) => isNew)).toHaveLength(25);
});

test('what a search may read as something else is left out', async () => {
  const rows: Row[] = [
    ['north', 'BOSCH', 'WVWZZZ1JZXW000001'],
    ['north', 'BOSCH', '?A1'],
    ['north', 'BOSCH', 'A1000'],
  ];
  expect((await choose(rows)).chosen).toEqual([{ brand: 'BOSCH', oem: 'A1000', isNew: false }]);
});

test('other seeds choose other parts, the same one the same', async () => {
  const rows = many('BOSCH', 1000);
  const [one, same, other] = await Promise.all([choose(rows), choose(rows), choose(rows, { seed: 'other' })]);
  expect(same).toEqual(one);
  expect(other.chosen).not.toEqual(one.chosen);
});

test('exactly as many as are wanted and there, each once', async () => {
  const row = fc.tuple(
    fc.constant('north'),
    fc.constantFrom('BOSCH', 'ATE', 'TRW', 'Mann'),
    fc.integer({ min: 1000, max: 1200 }),
  );
  const rows = fc.uniqueArray(row, { selector: ([, brand, oem]) => `${brand} ${oem}`, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.subarray([1000, 1050, 1100, 1150]),
      fc.integer({ min: 10, max: 60 }),
      async (drawn, old, size) => {
        const now = drawn.map(([feed, brand, oem]): Row => [feed, brand, `A${oem}`]);
        const before = now.filter((_row, at) => old.some((start) => at % 4 === start % 4));
        const { parts, newParts, chosen } = await choose(now, { before, size });
        expect(parts).toBe(now.length);
        expect(newParts).toBe(now.length - before.length);
        expect(chosen).toHaveLength(Math.min(size, now.length));
        expect(new Set(chosen.map(({ brand, oem }) => `${brand} ${oem}`)).size).toBe(chosen.length);
      },
    ),
    { numRuns: 60 },
  );
});

test('what was not found before is chosen beside the sample, as long as it is live', async () => {
  const again = [
    { brand: 'Bosch', oem: 'A-1003' },
    { brand: 'ATE', oem: 'B9' },
  ];
  const { parts, chosen } = await choose(many('BOSCH', 100), { again });
  expect(parts).toBe(100);
  expect(chosen).toHaveLength(11);
  expect(chosen[0]).toEqual({ brand: 'BOSCH', oem: 'A1003', isNew: false, again: true });
  expect(chosen.slice(1).some(({ oem }) => oem === 'A1003')).toBe(false);
});
