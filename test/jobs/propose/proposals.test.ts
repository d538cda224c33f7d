import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { addLearned } from '../../../src/config/learned/add-learned.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { askedParts, isTaken } from '../../../src/jobs/propose/gather.ts';
import type { FoundPart } from '../../../src/model.ts';
import { stripNumber } from '../../../src/parts/strip-number.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { proposalsFor, type ProposalFacts, type RejectedPart } from '../../../src/jobs/propose/proposals.ts';

const UNKNOWN = 'The brand "VAG" is not known.';
const NUMBER = { message: 'The article number is not known.' };

/** Rejections of some parts, the same in each of so many deliveries. */
function rejected(parts: [brand: string, oem: string][], { deliveries = 3, message = UNKNOWN } = {}): RejectedPart[] {
  return Array.from({ length: deliveries }, (_, at) =>
    parts.map(([brand, oem]) => ({ delivery: `r${at}`, code: null, message, brand, oem })),
  ).flat();
}

/** `asked`: how many parts of each brand the search was asked for; those that are known, unless it is said. */
function propose({ asked, ...facts }: Partial<ProposalFacts> & { asked?: Record<string, number> }) {
  const nothing = { rejected: [], otherBrands: [], knownBrands: new Set<string>(), acceptedBrands: new Set<string>() };
  const ofBrands = Map.groupBy(facts.otherBrands ?? [], ({ brand }) => brand);
  const known = [...ofBrands].map(
    ([brand, those]) => [brand, those.reduce((sum, { parts }) => sum + parts, 0)] as const,
  );
  const askedParts = new Map(asked === undefined ? known : Object.entries(asked));
  return proposalsFor({ feed: 'north', ...nothing, askedParts, ...facts });
}

const MB = { brand: 'MB', knownAs: 'MERCEDES-BENZ', parts: 5, examples: ['A0001802609'] };

test('a brand whose numbers the search knows under another one is a spelling', () => {
  const [proposal, ...others] = propose({ otherBrands: [MB] });
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({
    kind: 'spelling',
    says: 'upload MB as MERCEDES-BENZ',
    rows: 5,
    deliveries: 0,
    settings: { brands: { aliases: { 'MERCEDES-BENZ': ['MB'] } } },
  });
});

test('of two parts, or of a brand that the search knows as well, nothing is concluded', () => {
  expect(propose({ otherBrands: [{ ...MB, parts: 2 }] })).toEqual([]);
  expect(propose({ otherBrands: [MB], knownBrands: new Set(['MB']) })).toEqual([]);
});

test('a brand of which few numbers are known under another one has them by chance', () => {
  const quartz = { brand: 'QUARTZ', knownAs: 'TOTAL', parts: 3, examples: [] };
  const rows = rejected([['QUARTZ', 'A1']]);
  expect(propose({ otherBrands: [quartz], asked: { QUARTZ: 100 } })).toEqual([]);
  expect(propose({ otherBrands: [quartz], asked: { QUARTZ: 100 }, rejected: rows })).toMatchObject([
    { kind: 'leave-out' },
  ]);
  expect(propose({ otherBrands: [quartz], asked: { QUARTZ: 3 } })).toHaveLength(1);
});

test('a maker of whose numbers the search knows half is a spelling, and both counts are said', () => {
  expect(propose({ otherBrands: [MB], asked: { MB: 10 } })).toMatchObject([
    {
      kind: 'spelling',
      rows: 5,
      why: 'of 10 parts of MB that the search was asked for, it knows 5 by their numbers as MERCEDES-BENZ',
    },
  ]);
  const [proposal] = propose({
    otherBrands: [{ ...MB, parts: 2 }],
    asked: { MB: 4 },
    rejected: rejected([['MB', 'A1']]),
  });
  expect(proposal!.why).toMatch(/; of 4 parts of MB that the search was asked for, it knows 2 by their numbers/);
});

test('all parts of a brand that were looked for count, but not those that are looked for again until they are found', () => {
  const part = { brand: 'MB', oem: 'A1', isNew: false } as const;
  const answers: FoundPart[] = [
    { ...part, found: 'other-brand', knownAs: 'MERCEDES-BENZ' },
    { ...part, brand: 'mb', found: 'own' },
    { ...part, found: 'missing' },
    { ...part, found: 'missing', again: true },
    { ...part, found: 'own', again: true },
    { ...part, brand: 'ATE', found: 'known' },
  ];
  expect(askedParts(answers)).toEqual(
    new Map([
      ['MB', 4],
      ['ATE', 1],
    ]),
  );
});

test('a brand whose numbers are known under several is a spelling of none', () => {
  const several = [MB, { ...MB, knownAs: 'SMART', parts: 3 }];
  expect(propose({ otherBrands: several })).toEqual([]);
  expect(propose({ otherBrands: several, rejected: rejected([['MB', 'A1']]) })).toMatchObject([{ kind: 'leave-out' }]);
});

test('a brand that is rejected and known under another one is a spelling, by the rejections', () => {
  const [proposal] = propose({
    otherBrands: [{ ...MB, parts: 1 }],
    rejected: rejected([
      ['MB', 'A1'],
      ['MB', 'A2'],
    ]),
  });
  expect(proposal).toMatchObject({ kind: 'spelling', rows: 6, deliveries: 3, examples: ['MB A1', 'MB A2'] });
});

test('letters before the numbers of several brands are a prefix', () => {
  const [proposal, ...others] = propose({
    rejected: rejected(
      [
        ['BOSCH', 'NT-0986'],
        ['ATE', 'NT-1304'],
        ['TRW', 'NT-77'],
      ],
      NUMBER,
    ),
  });
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({
    kind: 'prefix',
    says: 'take "NT-" off the numbers of north',
    settings: { numbers: { strip: { prefix: ['NT-'] } } },
  });
});

test('the blank behind a prefix is taken with it, so that numbers of a maker that begins so stay whole', async () => {
  const [proposal] = propose({
    rejected: rejected(
      [
        ['SKF', 'NT 6205'],
        ['FAG', 'NT 6206'],
      ],
      NUMBER,
    ),
  });
  expect(proposal).toMatchObject({ settings: { numbers: { strip: { prefix: ['NT '] } } } });
  const file = join(tempFolder(), 'offerline.yaml');
  const north = { login: 'main', source: { type: 'directory', path: '.' } };
  writeFileSync(file, JSON.stringify({ logins: { main: {} }, feeds: { north } }));
  writeFileSync(join(dirname(file), 'learned.yaml'), addLearned(null, 'north', proposal!.settings!, 'theirs'));
  const { config } = await loadConfig({ file, env: {} });
  const { strip } = readSettings(config, 'north');
  expect(strip).toEqual({ prefixes: ['NT '], suffixes: [] });
  expect(['NT 6205', 'NTN 6204'].map((number) => stripNumber(number, strip))).toEqual(['6205', 'NTN 6204']);
  expect(isTaken(proposal!, config.feeds['north']!)).toBe(true);
});

test('letters before the numbers of one brand may be its maker’s', () => {
  expect(
    propose({
      rejected: rejected(
        [
          ['BOSCH', 'NT-0986'],
          ['BOSCH', 'NT-1304'],
        ],
        NUMBER,
      ),
      acceptedBrands: new Set(['BOSCH']),
    })[0]!.kind,
  ).toBe('question');
});

test('rows of other kinds among them do not hide a prefix', () => {
  const rows = rejected(
    [
      ['BOSCH', 'NT-0986'],
      ['ATE', 'NT-1304'],
      ['TRW', 'NT-77'],
      ['KIA', '4711'],
    ],
    NUMBER,
  );
  expect(propose({ rejected: rows })[0]).toMatchObject({ kind: 'prefix' });
});

test('letters before the numbers of brands that are not known are no prefix', () => {
  const rows = rejected([
    ['VAG', 'A-1'],
    ['VWAG', 'A-2'],
  ]);
  expect(propose({ rejected: rows }).map(({ kind }) => kind)).toEqual(['leave-out', 'leave-out']);
});

test('rows are never left out by their brand for what is wrong with their numbers', () => {
  expect(propose({ rejected: rejected([['VAG', '1K0!615']], NUMBER) })).toMatchObject([{ kind: 'question' }]);
});

test('rules of long brands have names that differ', () => {
  const long = 'x'.repeat(70);
  const rows = rejected([
    [`${long}1`, 'A1'],
    [`${long}2`, 'A2'],
  ]);
  const names = propose({ rejected: rows }).map(({ settings }) => settings!.rules![0]!.name);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(60);
});

test('a brand of which nothing is ever accepted may be left out; of one that is live, the supplier is asked', () => {
  const rows = rejected([['VAG', '1K0615301AA']]);
  expect(propose({ rejected: rows })[0]).toMatchObject({
    kind: 'leave-out',
    settings: { rules: [{ name: 'not taken: VAG', when: { brand: { is: 'VAG' } }, leaveOut: true }] },
  });
  expect(propose({ rejected: rows, acceptedBrands: new Set(['VAG']) })[0]).toMatchObject({
    kind: 'question',
    settings: null,
  });
});

test('two deliveries may be an accident', () => {
  expect(propose({ rejected: rejected([['VAG', '1K0615301AA']], { deliveries: 2 }) })).toEqual([]);
});

test('messages that differ in what they quote are one cause', () => {
  const rows = [1, 2, 3].map((at) => ({
    delivery: `r${at}`,
    code: null,
    message: `Line ${at}: brand "VAG${at}" unknown`,
    brand: 'VAG',
    oem: `A${at}`,
  }));
  expect(propose({ rejected: rows })).toMatchObject([{ kind: 'leave-out', rows: 3, deliveries: 3 }]);
});

test('the same proposal has the same id, another one another; the most rows come first', () => {
  const rows = [
    ...rejected([['VAG', 'A1']]),
    ...rejected([
      ['KIA', 'A1'],
      ['KIA', 'A2'],
    ]),
  ];
  const [first, second] = propose({ rejected: rows });
  expect([first!.examples[0], second!.examples[0]]).toEqual(['KIA A1', 'VAG A1']);
  expect(first!.id).not.toBe(second!.id);
  expect(propose({ rejected: rows.toReversed() }).map(({ id }) => id)).toEqual([first!.id, second!.id]);
});
