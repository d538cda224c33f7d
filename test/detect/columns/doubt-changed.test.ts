import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { READING_DEFAULTS } from '../../../src/config/schema/defaults.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { headerFingerprint } from '../../../src/detect/columns/accepted.ts';
import { changeOf } from '../../../src/detect/columns/column-look.ts';
import { detect } from '../../../src/detect/detect.ts';
import type { Hints } from '../../../src/detect/hints.ts';
import type { AcceptedColumns, ColumnLook, Detection } from '../../../src/model.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { columns } = readSettings(READING_DEFAULTS);
const BRANDS = ['Qorvax', 'Zelmat', 'Pilkor'];

type Part = { brand: string; number: string; price: string; code: string; country: string; text: string };
/** Parts of makers that nobody knows: only what was seen before says which column is which. */
const PARTS: Part[] = Array.from({ length: 40 }, (_, at) => ({
  brand: BRANDS[at % BRANDS.length]!,
  number: `QX ${1000 + at * 7}`,
  price: `${at + 1},50`,
  code: String(200_000 + at * 3),
  country: at % 2 === 0 ? 'Germany' : 'Poland',
  text: `Bremsscheibe vorne ${at}`,
}));

function table(kinds: (keyof Part)[], parts: Part[] = PARTS): string {
  return parts.map((part) => `${kinds.map((kind) => part[kind]).join(';')}\n`).join('');
}

async function read(text: string, hints: Hints): Promise<Detection> {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, text);
  return detect(path, { columns, ...hints });
}

/** A first file of which a person said that column 1 has the brands, and column 2 the numbers. */
async function acceptedWith(text: string): Promise<AcceptedColumns> {
  const { columns: header, width, looks } = await read(text, {});
  const at = (key: string, position: number) => {
    return { key, position, column: header[position - 1] ?? null, look: looks[position - 1]! };
  };
  const by = { run: 'R1', who: 'ana', reason: 'asked', at: Date.UTC(2026, 4, 4) };
  return { fingerprint: headerFingerprint({ header, width }), columns: [at('brand', 1), at('oem', 2)], ...by };
}

async function doubts(text: string, hints: Hints): Promise<Record<string, string>> {
  const { mapping } = await read(text, hints);
  const open = mapping.filter(({ key, sure }) => !sure && (key === 'brand' || key === 'oem'));
  return Object.fromEntries(open.map(({ key, position, evidence }) => [key, `${position}: ${evidence}`]));
}

const live = (parts: Part[]): Pick<Hints, 'earlierHeader' | 'parts'> => ({
  earlierHeader: { columns: [], width: 3, mapping: [], run: 'R1' },
  async *parts() {
    yield await Promise.resolve(parts.map(({ brand, number }): [string, string] => [brand, number]));
  },
});
const BEFORE = '; accepted by ana on 2026-05-04: asked';
const OTHERS = PARTS.map((part, at) => ({ ...part, number: `QX ${5000 + at * 7}` }));

test.each<{ what: string; now: string; hints?: Partial<Hints>; doubted: Record<string, string> }>([
  { what: 'the same kind of cells', now: table(['brand', 'number', 'price'], OTHERS), doubted: {} },
  {
    what: 'swapped columns',
    now: table(['number', 'brand', 'price']),
    doubted: {
      brand: `2: its cells look like those of column 1 did; the cells of column 1 have changed: 100 % of 40 values look like part numbers, 0 % before${BEFORE}`,
      oem: `1: 100 % of 40 values look like part numbers; the cells of column 2 have changed: 0 % of 40 values look like part numbers, 100 % before${BEFORE}`,
    },
  },
  {
    what: "the shop's own codes",
    now: table(['brand', 'code', 'price']),
    doubted: { oem: `2: its cells have changed: 0 % of 40 values have letters, 100 % before${BEFORE}` },
  },
  {
    what: 'texts under the number',
    now: table(['brand', 'text', 'number']),
    doubted: {
      oem: expect.stringMatching(/^3: .*; the cells of column 2 have changed: 100 % of 40 values are texts/) as string,
    },
  },
  {
    what: 'countries, where the brands are live',
    now: table(['country', 'number', 'price']),
    hints: live(PARTS),
    doubted: { brand: `1: its cells have changed: none of 40 values is among those that are live${BEFORE}` },
  },
  {
    what: 'numbers of the same brands of which none is live',
    now: table(['brand', 'number', 'price'], OTHERS),
    hints: live(PARTS),
    doubted: { oem: `2: its cells have changed: none of 40 values is among those that are live${BEFORE}` },
  },
  {
    what: 'numbers that stand in another column in most rows, although some are where they were',
    now: table(
      ['brand', 'number', 'code'],
      PARTS.map((part, at) => (at % 2 === 0 ? part : { ...part, number: part.code, code: part.number })),
    ),
    hints: live(PARTS),
    doubted: { oem: `2: its cells have changed: only 20 of 40 values are among those that are live${BEFORE}` },
  },
  {
    what: 'live parts, however they look by now',
    now: table(
      ['brand', 'number', 'price'],
      PARTS.map((part) => ({ ...part, number: part.number.slice(3) })),
    ),
    hints: live(PARTS.map((part) => ({ ...part, number: `00${part.number.slice(3)}` }))),
    doubted: {},
  },
  {
    what: 'what was live before somebody accepted the columns',
    now: table(['country', 'number', 'price']),
    hints: { ...live(PARTS), earlierHeader: { columns: [], width: 3, mapping: [], run: 'R0' } },
    doubted: {},
  },
  {
    what: 'too little that is live',
    now: table(['country', 'number', 'price']),
    hints: live(PARTS.slice(9, 20)),
    doubted: {},
  },
])('a list without a header with $what', async ({ now, hints, doubted }) => {
  const accepted = [await acceptedWith(table(['brand', 'number', 'price']))];
  expect(await doubts(now, { accepted, ...hints })).toEqual(doubted);
});

test('of two runs in one second nobody knows which was first: what a person accepted holds', async () => {
  const accepted = { ...(await acceptedWith(table(['brand', 'number', 'price']))), run: '20261129-004401-0ve5v' };
  const doubtedAfter = (run: string) =>
    doubts(table(['country', 'number', 'price']), {
      accepted: [accepted],
      ...live(PARTS),
      earlierHeader: { columns: [], width: 3, mapping: [], run },
    });
  expect(await doubtedAfter('20261129-004401-k3f9x')).toEqual({});
  expect(await doubtedAfter('20261129-004359-k3f9x')).toEqual({});
  expect(await doubtedAfter('20261129-004402-00000')).not.toEqual({});
  expect(await doubtedAfter(accepted.run)).not.toEqual({});
});

test('cells that swap below the same header are noticed', async () => {
  const accepted = [await acceptedWith(`Xa;Xb;Xc\n${table(['brand', 'number', 'price'])}`)];
  expect(await doubts(`Xa;Xb;Xc\n${table(['brand', 'number', 'price'], OTHERS)}`, { accepted })).toEqual({});
  expect(Object.keys(await doubts(`Xa;Xb;Xc\n${table(['number', 'brand', 'price'])}`, { accepted }))).toEqual([
    'brand',
    'oem',
  ]);
});

test('what a person accepted in spite of its cells stays accepted, but not where nobody saw them', async () => {
  const contradicting = table(['number', 'brand', 'price']);
  const accepted = await acceptedWith(contradicting);
  expect(await doubts(contradicting, { accepted: [accepted] })).toEqual({});
  const unseen = accepted.columns.map(({ look: _look, ...column }) => column);
  expect(await doubts(contradicting, { accepted: [{ ...accepted, columns: unseen }] })).toMatchObject({
    oem: expect.stringContaining('the cells of column 2 contradict that: 0 % of its cells have digits') as string,
  });
});

test('a look has not changed from itself, nor from one that differs a little', () => {
  const share = fc.integer({ min: 0, max: 100 });
  const shares = [
    'distinct',
    'makers',
    'vehicles',
    'partNumbers',
    'barcodes',
    'prices',
    'phrases',
    'lettered',
    'digits',
  ];
  const look = fc.record({
    values: fc.integer({ min: 1, max: 400 }),
    isCounter: fc.boolean(),
    ...Object.fromEntries(shares.map((name) => [name, share])),
  }) as fc.Arbitrary<ColumnLook>;
  fc.assert(
    fc.property(look, fc.integer({ min: -49, max: 49 }), fc.constantFrom('brand', 'oem', 'name'), (then, by, key) => {
      const near = Object.fromEntries(
        Object.entries(then).map(([name, value]) => [
          name,
          typeof value === 'number' && name !== 'values' ? Math.min(100, Math.max(0, value + by)) : value,
        ]),
      ) as ColumnLook;
      expect(changeOf(key, then, near)).toBeNull();
    }),
  );
});
