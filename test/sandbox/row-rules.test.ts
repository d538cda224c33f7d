import { expect, test } from 'vitest';
import { rowRules } from '../../src/sandbox/offers/process/rules.ts';
import { settingsSchema } from '../../src/sandbox/settings.ts';
import { startWorld } from './world.ts';

const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`).join(',');

/** A row that breaks the rule, and one that only just keeps it. */
const EXAMPLES: Record<string, { bad: string[]; good: string[] }> = {
  CELL_COUNT: { bad: ['A', '1', 'n', '', 'x'], good: ['A', '1', 'n', ''] },
  BRAND_EMPTY: { bad: [' ', '1', 'n', ''], good: ['A', '1', 'n', ''] },
  OEM_EMPTY: { bad: ['A', '', 'n', ''], good: ['A', '0', 'n', ''] },
  TOO_MANY_TAGS: { bad: ['A', '1', 'n', tags(21)], good: ['A', '1', 'n', tags(20)] },
  BRAND_TOO_LONG: { bad: ['A'.repeat(65), '1', 'n', ''], good: ['A'.repeat(64), '1', 'n', ''] },
  OEM_TOO_LONG: { bad: ['A', '1'.repeat(65), 'n', ''], good: ['A', '1'.repeat(64), 'n', ''] },
  NAME_TOO_LONG: { bad: ['A', '1', 'n'.repeat(256), ''], good: ['A', '1', 'n'.repeat(255), ''] },
  TAG_TOO_LONG: { bad: ['A', '1', 'n', `a,${'t'.repeat(65)}`], good: ['A', '1', 'n', 't'.repeat(64)] },
  BRAND_UNKNOWN: { bad: ['No Name', '1', 'n', ''], good: ['No Names', '1', 'n', ''] },
  OEM_CHARACTERS: { bad: ['A', '1!', 'n', ''], good: ['A', "Ä1 б.,:;'/()+*#&_-–—2", 'n', ''] },
};

test('every row rule has an example', () => {
  const codes = rowRules(settingsSchema.parse({})).map((rule) => rule.code);
  expect(Object.keys(EXAMPLES).sort()).toEqual(codes.sort());
});

test.each(Object.entries(EXAMPLES))('%s rejects its row only', async (code, { bad, good }) => {
  const world = await startWorld();
  const content = `${[['brand', 'oem', 'name', 'tags'], good, bad].map((row) => row.join('\t')).join('\n')}\n`;
  const { id, ...offer } = await world.uploaded(content);
  expect(offer).toMatchObject({ state: 'success', linesProcessed: 2, errorFileExists: true });
  const [header, row, ...more] = (await world.get('errors', id)).text.trimEnd().split('\n');
  expect(header).toBe('errorLine\terrorCode\terrorMessage\tbrand\toem\tname\ttags');
  expect(row?.split('\t').slice(0, 2)).toEqual(['3', code]);
  expect(`${row}\t`).toContain(`\t${bad.join('\t').trimEnd()}\t`);
  expect(more).toEqual([]);
});

test('the columns of the error file, the columns of the offer and the rules are settings', async () => {
  const world = await startWorld({
    settings: {
      errorColumns: { Problem: 'message' },
      columns: { brand: 'Marke', oem: 'Nummer', tags: 'Gruppen' },
      requiredColumns: ['brand'],
      tagSeparator: '|',
      blockedBrands: ['ACME'],
      limits: { tags: 1 },
      countHeader: true,
    },
  });
  const { id, ...offer } = await world.uploaded('MARKE\tGruppen\tx\nAcme\t\tp\nB\ta|b\tq\nC\tc,d\tr\n');
  expect(offer).toMatchObject({ state: 'success', linesProcessed: 4 });
  expect((await world.get('errors', id)).text).toBe(
    'Problem\tMARKE\tGruppen\tx\nUnknown brand: Acme\tAcme\t\tp\n2 tags, at most 1 are allowed\tB\ta|b\tq\n',
  );
  expect((await world.get('listTags', id)).json['data']).toEqual(['c,d']);
});

test('ten thousand rejected rows are all in the error file, in order', async () => {
  const world = await startWorld();
  const rows = Array.from({ length: 10_000 }, (_, at) => `\t${at}\n`);
  const { id } = await world.uploaded(`brand\toem\n${rows.join('')}`);
  const lines = (await world.get('errors', id)).text.trimEnd().split('\n').slice(1);
  expect(lines.map((line) => line.split('\t')[4])).toEqual(rows.map((row) => row.trim()));
});
