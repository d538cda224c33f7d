import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ColumnMapping } from '../../../src/model.ts';
import { unsureColumnsText } from '../../../src/wording/columns/unsure-columns.ts';
import { runSentence } from '../../../src/wording/reasons/run-reasons.ts';

const BRAND: ColumnMapping = {
  key: 'brand',
  column: 'Producator',
  position: 2,
  sure: false,
  evidence: '98 % of 1,204 values are known makers',
};
const OEM: ColumnMapping = { key: 'oem', column: null, position: 3, sure: false, evidence: 'its name says so' };
const NOTHING = { missing: [], ambiguous: [] };

/** The setting in a text, as YAML reads it. */
const settingIn = (text: string) => parse(/`(.*?)` under/.exec(text)?.[1] ?? '') as unknown;

test('a proposal comes with its evidence and the line of YAML that confirms it', () => {
  expect(unsureColumnsText({ proposed: [BRAND], ...NOTHING }, 'north')).toBe(
    'It is not certain what the columns mean. Proposed: brand ← "Producator": 98 % of 1,204 values are known makers. ' +
      'To confirm it, write `columns: { brand: ["Producator"] }` under feeds.north',
  );
});

test('what nothing is proposed for has to be named', () => {
  const text = unsureColumnsText({ ...NOTHING, proposed: [BRAND], missing: ['oem'] });
  expect(text).toContain('. No column looks like "oem". Name what is missing, and write `columns: ');
  expect(settingIn(text)).toEqual({ columns: { brand: ['Producator'], oem: ['NAME'] } });
});

test('a column without a name, or with that of another one, is set by its position', () => {
  const text = unsureColumnsText({ ...NOTHING, proposed: [BRAND, OEM], ambiguous: ['brand'] });
  expect(settingIn(text)).toEqual({ columns: { brand: 2, oem: 3 } });
  expect(settingIn(unsureColumnsText({ ...NOTHING, proposed: [OEM], missing: ['brand'] }))).toEqual({
    columns: { oem: 3, brand: 'POSITION' },
  });
});

test('a name that YAML or the environment would read otherwise is written so that it stays as it is', () => {
  const text = unsureColumnsText({ proposed: [{ ...BRAND, column: '№: "a" ${b} #1' }], ...NOTHING });
  expect(settingIn(text)).toEqual({ columns: { brand: ['№: "a" $${b} #1'] } });
});

test('a held run also says how its proposal is accepted', () => {
  const facts = { code: 'unsure-columns' as const, run: 'r1', feed: 'north', proposed: [BRAND], ambiguous: [] };
  expect(runSentence({ ...facts, missing: [] })).toMatch(
    / under feeds\.north, or run `offerline approve r1 --columns --reason TEXT`$/,
  );
  expect(runSentence({ ...facts, missing: ['oem'] })).toMatch(
    /, or name them: `offerline approve r1 --columns KEY=COLUMN,… --reason TEXT`$/,
  );
});
