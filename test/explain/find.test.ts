import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explanationIndex } from '../../scripts/generate/explanations.ts';
import { configJsonSchema } from '../../src/config/schema/json-schema.ts';
import { STATUS } from '../../src/errors.ts';
import { EXPLANATIONS, TEMPLATES } from '../../src/explain/explanation.ts';
import { explain } from '../../src/explain/find.ts';
import { INCIDENTS } from '../../src/incidents.ts';
import { ISSUES } from '../../src/validate/issues/catalogue.ts';
import { CAUSES } from '../../src/wording/causes.ts';

const INDEX = new URL('../../src/explain/explanations.json', import.meta.url);
const codesFor = (asked: string) => explain(asked).explanations.map(({ kind, code }) => `${kind} ${code}`);

test('src/explain/explanations.json is up to date: `npm run generate` writes it', () => {
  expect(readFileSync(INDEX, 'utf8')).toBe(explanationIndex());
});

test('every outcome, cause, issue, incident and error is explained', () => {
  const causes = Object.entries(CAUSES).flatMap(([outcome, all]) =>
    ['live', 'partial'].includes(outcome) ? [] : Object.keys(all),
  );
  const incidents = Object.keys(INCIDENTS).filter((kind) => kind !== 'delivery');
  const codes = [...causes, ...Object.keys(ISSUES), ...incidents, ...Object.keys(STATUS)];
  expect(codes.filter((code) => explain(code).explanations.length === 0)).toEqual([]);
});

test('every part of the configuration is explained', () => {
  const known = EXPLANATIONS.filter(({ kind }) => kind === 'setting').map(({ code }) => code.replace('[]', ''));
  const parts = Object.keys((configJsonSchema() as { properties: object }).properties);
  expect(parts.filter((part) => !known.some((code) => code === part || code.startsWith(`${part}.`)))).toEqual([]);
});

test.each([
  ['held', ['outcome held']],
  ['HELD', ['outcome held']],
  ['held: columns', ['cause columns']],
  ['held, columns', ['cause columns']],
  ['exit 4', ['exit status 4']],
  ['status 130', ['exit status 130']],
  ['oem-empty', ['issue oem-empty']],
  ['"oem-empty"', ['issue oem-empty']],
  ['disk-full', ['cause disk-full', 'error disk-full']],
  ['guard.maxRowDrop', ['setting logins.NAME.guard.maxRowDrop']],
  ['maxRowDrop', ['setting logins.NAME.guard.maxRowDrop']],
  ['feeds.north.source.pattern', ['setting feeds.NAME.source.pattern']],
  ['managers[0].email', ['setting managers[].email']],
  ['redis_url', ['variable REDIS_URL']],
  ['CI', ['variable CI']],
])('%s is known by its code', (asked, codes) => {
  expect(codesFor(asked)).toEqual(codes);
});

test.each([
  ['prices.zip is encrypted. Ask for a file without a password.', 'error file-rejected'],
  ['north: held — the feed is frozen', 'cause frozen'],
  ['  line 12: The article number is empty.  ', 'issue oem-empty'],
  ['{"level":50,"msg":"archived file is lost","sha256":"9f"}', 'log line archived file is lost'],
  [
    '{"error":{"code":"conflict","message":"Another prune is already running; try again when it has finished."}}',
    'error conflict',
  ],
  ['Nov 28 02:15:00 host offerline[9]: login main: the service cannot be reached — no answer', 'incident unreachable'],
])('the line “%s” is known by the message in it', (line, code) => {
  expect(codesFor(line)).toEqual([code]);
});

test('a message is found by each of its forms, whatever stands for its facts', () => {
  const missed = TEMPLATES.filter(({ text }) => explain(text.replaceAll('…', 'x y 7')).explanations.length === 0);
  expect(missed.map(({ text }) => text)).toEqual([]);
});

test.each([
  ['oem-emtpy', 'oem-empty'],
  ['maxRowDorp', 'logins.NAME.guard.maxRowDrop'],
  ['dialect not certain', 'held'],
])('%s is told as nearly so, or by its words', (asked, meant) => {
  expect(explain(asked)).toMatchObject({ explanations: [], near: expect.arrayContaining([meant]) as string[] });
});

test('any text has an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const { explanations, near } = explain(text);
      expect(explanations.length === 0 || near.length === 0).toBe(true);
    }),
    { numRuns: 30 },
  );
});
