import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choose, type Listed } from '../../../src/pull/choose/choose.ts';
import { identityOf } from '../../../src/pull/choose/past.ts';
import { patternOf } from '../../../src/pull/choose/pattern.ts';

const pattern = patternOf('*.csv');

function file(name: string, mtimeMs: number | null, size = 1): Listed {
  return { name, size, mtimeMs };
}

/** What is known once a file was taken and others were superseded by it. */
function past(last: Listed | null, superseded: Listed[] = []) {
  const identities = new Set(superseded.map(identityOf));
  return { last, isSuperseded: (listed: Listed) => identities.has(identityOf(listed)) };
}

describe('after a file was taken', () => {
  const tuesday = file('tuesday.csv', 2000);

  test('an older one by its date that was never seen is not taken, though the newer one is gone', () => {
    const dated = patternOf('{yyyy-MM-dd}.csv');
    const last = file('2026-11-20.csv', 1000);
    const { newest, passedOver } = choose([file('2026-11-19.csv', 2000)], { pattern: dated, past: past(last) });
    expect(newest).toBeUndefined();
    expect(passedOver).toEqual([
      { name: '2026-11-19.csv', why: 'is older than 2026-11-20.csv, which was taken before' },
    ]);
  });

  test('an older one by its time of change that was never seen is taken: guards judge it', () => {
    expect(choose([file('monday.csv', 1000)], { pattern, past: past(tuesday) }).newest?.name).toBe('monday.csv');
  });

  test('the file itself is met again while it is there', () => {
    expect(choose([tuesday], { pattern, past: past(tuesday) }).newest).toBe(tuesday);
  });

  test('another of its name takes its place, though the clock of the server was set back', () => {
    const again = file('tuesday.csv', 1500);
    expect(choose([again], { pattern, past: past(tuesday) }).newest).toBe(again);
  });

  test('where names are not unique, an older file of its name does not', () => {
    const older = file('tuesday.csv', 1500);
    expect(choose([older], { pattern, past: past(tuesday), uniqueNames: false }).newest).toBeUndefined();
    expect(choose([{ ...tuesday, id: '2:9' }], { pattern, past: past(tuesday), uniqueNames: false }).newest?.id).toBe(
      '2:9',
    );
  });

  test('a superseded file stays so until it is changed', () => {
    const superseded = past(null, [file('monday.csv', null)]);
    expect(choose([file('monday.csv', null)], { pattern, past: superseded }).newest).toBeUndefined();
    expect(choose([file('monday.csv', null, 2)], { pattern, past: superseded }).newest?.size).toBe(2);
  });
});

const listing = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e').map((stem) => `${stem}.csv`),
    size: fc.nat(3),
    mtimeMs: fc.option(fc.nat(5), { nil: null }),
  }),
  { selector: ({ name }) => name },
);

test('each file is taken, superseded or passed over, once, and what was superseded is never taken later', () => {
  fc.assert(
    fc.property(listing, listing, (first, second) => {
      const one = choose(first, { pattern });
      expect([one.newest, ...one.older].filter((it) => it !== undefined)).toHaveLength(first.length);
      const later = choose(second, { pattern, past: past(one.newest ?? null, one.older) });
      const fates = [
        later.newest?.name,
        ...later.older.map(({ name }) => name),
        ...later.passedOver.map(({ name }) => name),
      ];
      expect(fates.filter((name) => name !== undefined).toSorted()).toEqual(second.map(({ name }) => name).toSorted());
      const gone = new Set(one.older.map(identityOf));
      expect(later.newest !== undefined && gone.has(identityOf(later.newest))).toBe(false);
    }),
  );
});
