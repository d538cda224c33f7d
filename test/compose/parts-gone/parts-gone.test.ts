import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countMissing, explainMissing, feedLike } from '../../../src/compose/parts-gone/parts-gone.ts';
import type { RowFile } from '../../../src/compose/row-file.ts';
import { guardSentence } from '../../../src/wording/reasons/guard-reasons.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Part = [brand: string, oem: string];

function rowFile(parts: Part[]): RowFile {
  const path = join(tempFolder(), 'rows.tsv');
  writeFileSync(path, parts.map(([brand, oem], at) => `${at + 2}\t${brand}\t${oem}\n`).join(''));
  return { path, columns: ['brand', 'oem'], kind: 'rows' };
}

const BRANDS = ['BOSCH', 'ATE', 'HELLA'];
/** Sixty parts whose numbers have nothing in common. */
const LIVE: Part[] = Array.from({ length: 60 }, (_, at) => [
  BRANDS[at % 3]!,
  `${'OCHAB'[at % 5]!}${(at * 7919 + 10_007) % 90_000}${'KTEPM'[(at * 3) % 5]!}`,
]);

async function why(live: Part[], delivered: Part[]) {
  const [older, newer] = [rowFile(live), rowFile(delivered)];
  const { change, other, examples } = await explainMissing({ older, newer, others: [] }, null);
  const gone = { gone: 1, of: 1, change, other, examples };
  const sentence = guardSentence({ whose: { feed: 'north' }, guard: 'maxPartsGone', limit: 0.5, ...gone });
  // What is said of the change stands between the limit and what it was seen in.
  const text = change === null ? null : /\(50%\): (.*) \([\d,]+ of [\d,]+ compared/.exec(sentence)?.[1];
  return { text, parts: change?.parts, of: change?.of, other, examples };
}

function changed(change: (part: Part) => Part): Part[] {
  return LIVE.map(change);
}

test('parts are counted however they are written; what the service rejected was not live', async () => {
  const older = rowFile([
    ['BOSCH', '0 986-424'],
    ['ATE', '1'],
    ['ATE', '2'],
    ['LUK', '9'],
  ]);
  const newer = rowFile([
    ['Bosch', '0986.424'],
    ['ATE', '3'],
  ]);
  expect(await countMissing(older, newer, null)).toEqual({ gone: 3, of: 4, added: 1 });
  expect(await countMissing(older, newer, (brand) => brand === 'LUK')).toEqual({ gone: 2, of: 3, added: 1 });
});

describe('the one thing that changed is named', () => {
  test.each<[string, (part: Part) => Part]>([
    ['its numbers end in “-N” now', ([brand, oem]) => [brand, `${oem}-N`]],
    ['its numbers end in “.0” now', ([brand, oem]) => [brand, `${oem}.0`]],
    ['its numbers begin with “ZX/” now', ([brand, oem]) => [brand, `ZX/${oem}`]],
    ['its numbers have gained leading zeros', ([brand, oem]) => [brand, `000${oem}`]],
    ['its parts are written with look-alike letters of another alphabet', ([brand, oem]) => [brand, cyrillic(oem)]],
    ['its numbers are written with other marks among their letters and digits', ([brand, oem]) => [brand, marked(oem)]],
    ['brand and number stand in each other’s place', ([brand, oem]) => [oem, brand]],
    ['its numbers begin with their brand now', ([brand, oem]) => [brand, `${brand} ${oem}`]],
    ['its numbers stand under other brands', ([brand, oem]) => [`Robert ${brand}`, oem]],
  ])('%s', async (text, change) => {
    expect(await why(LIVE, changed(change))).toMatchObject({ text, parts: 60, of: 60 });
  });

  test.each<[string, (part: Part) => Part]>([
    ['its numbers no longer end in “-N”', ([brand, oem]) => [brand, `${oem}-N`]],
    ['its numbers no longer begin with “ZX/”', ([brand, oem]) => [brand, `ZX/${oem}`]],
    ['its numbers have lost leading zeros', ([brand, oem]) => [brand, `00${oem}`]],
    ['its numbers no longer begin with their brand', ([brand, oem]) => [brand, `${brand}${oem}`]],
  ])('%s', async (text, change) => {
    expect(await why(changed(change), LIVE)).toMatchObject({ text, parts: 60, of: 60 });
  });

  test('also where some parts stayed and some are new', async () => {
    const mixed = LIVE.map(([brand, oem], at): Part => [brand, at % 4 === 0 ? oem : `${oem}-N`]);
    const found = await why(LIVE, [...mixed, ['LUK', '1'], ['LUK', '2']]);
    expect(found).toMatchObject({ text: 'its numbers end in “-N” now', parts: 45, of: 47 });
  });

  test('nothing is named where the parts are simply others', async () => {
    const found = await why(
      LIVE,
      LIVE.map((_, at): Part => ['LUK', `620${at * 31}`]),
    );
    expect(found).toMatchObject({ text: null, other: null });
    expect(found.examples).toHaveLength(10);
    expect(found.examples[0]).toEqual({ before: { brand: LIVE[0]![0], oem: LIVE[0]![1] }, after: null });
  });
});

test('ten examples are spread over the list, each with what stands in its place', async () => {
  const { examples } = await why(
    LIVE,
    changed(([brand, oem]) => [brand, `${oem}-N`]),
  );
  expect(examples).toHaveLength(10);
  for (const { before, after } of examples) expect(after).toEqual({ brand: before.brand, oem: `${before.oem}-N` });
  expect(new Set(examples.map(({ before }) => before.oem)).size).toBe(10);
});

test('the feed that most parts are of is found, with its share', async () => {
  const others = [
    { feed: 'west', rows: rowFile(LIVE.slice(0, 10)) },
    { feed: 'south', rows: rowFile(LIVE.slice(0, 48)) },
  ];
  expect(await feedLike(rowFile(LIVE), others)).toEqual({ feed: 'south', share: 0.8, parts: 48 });
  expect(await feedLike(rowFile(LIVE), others.slice(0, 1))).toBeNull();
});

test('a large list is explained by a sample of it', async () => {
  const many = Array.from({ length: 30_000 }, (_, at): Part => ['BOSCH', `A${at * 13}X`]);
  const found = await why(
    many,
    many.map(([brand, oem]): Part => [brand, `${oem}.0`]),
  );
  expect(found.text).toBe('its numbers end in “.0” now');
  expect(found.of).toBeLessThanOrEqual(2_000);
  expect(found.parts).toBe(found.of);
});

function cyrillic(text: string): string {
  return text.replaceAll(/[OCHABKTEPM]/g, (letter) => 'ОСНАВКТЕРМ'['OCHABKTEPM'.indexOf(letter)]!);
}

function marked(text: string): string {
  return `${text.slice(0, 3)}/${text.slice(3)}`;
}
