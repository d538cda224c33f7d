import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choose, type Listed } from '../../../src/pull/choose/choose.ts';
import { identityOf } from '../../../src/pull/choose/past.ts';
import { patternOf } from '../../../src/pull/choose/pattern.ts';

const pattern = patternOf('*.csv');

function file(name: string, mtimeMs: number | null, size = 1): Listed {
  return { name, size, mtimeMs };
}

/** What is known once a file was taken, after some others, and others were superseded by it. */
function past(last: Listed | null, superseded: Listed[] = [], before: Listed[] = []) {
  const identities = new Set(superseded.map(identityOf));
  const taken = new Set([...before, ...(last === null ? [] : [last])].map(identityOf));
  return {
    last,
    isSuperseded: (listed: Listed) => identities.has(identityOf(listed)),
    isTaken: (listed: Listed) => taken.has(identityOf(listed)),
  };
}

/** What a ledger knows of a place: what was taken once counts as taken, though something newer came. */
function ledger() {
  const taken: Listed[] = [];
  const superseded: Listed[] = [];
  const has = (files: Listed[], file: Listed) => files.some((one) => identityOf(one) === identityOf(file));
  return {
    taken,
    past: () => past(taken.at(-1) ?? null, superseded, taken),
    isTaken: (file: Listed) => has(taken, file),
    isLast: (file: Listed) => has(taken.slice(-1), file),
    note: (newest: Listed, older: Listed[]) => {
      taken.push(newest);
      superseded.push(...older.filter((file) => !has(taken, file)));
    },
  };
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

  test('one that was put back to what it was before is taken again, with its time and size of then', () => {
    const [first, second] = [file('price.csv', 1000, 100), file('price.csv', 2000, 101)];
    expect(choose([first], { pattern, past: past(second, [], [first]) }).newest).toBe(first);
    const [unknown, changed] = [file('price.csv', null, 100), file('price.csv', null, 101)];
    expect(choose([unknown], { pattern, past: past(changed, [], [unknown]) }).newest).toBe(unknown);
    // Where names are not unique, it is another one that was taken.
    const mails = { pattern, uniqueNames: false, past: past(second, [], [first]) };
    expect(choose([first], mails).newest).toBeUndefined();
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

describe('dates in the future', () => {
  const DAY = 24 * 60 * 60_000;
  const NOW = Date.UTC(2026, 10, 30, 12);
  const dated = patternOf('prices_{yyyy-MM-dd}.csv');
  /** A file that was changed so many hours before now. */
  const on = (date: string, hours: number, size = 1) => file(`prices_${date}.csv`, NOW - hours * 3_600_000, size);
  const names = ({ newest, older, passedOver }: ReturnType<typeof choose>) => ({
    newest: newest?.name,
    older: older.map(({ name }) => name),
    passedOver: passedOver.map(({ name, why }) => `${name} ${why}`),
  });
  const chosen = (files: Listed[], known?: ReturnType<typeof past>, more = {}) =>
    names(choose(files, { pattern: dated, past: known, now: NOW, ...more }));
  const AHEAD = 'has a date in the future, which does not count';
  const mistyped = on('2062-11-29', 30);

  test('in names do not decide what is newest, and such a file is kept for its day', () => {
    const files = [mistyped, on('2026-11-29', 20), on('2026-11-28', 40)];
    expect(chosen(files)).toEqual({
      newest: 'prices_2026-11-29.csv',
      older: ['prices_2026-11-28.csv'],
      passedOver: [`prices_2062-11-29.csv ${AHEAD}`],
    });
    expect(choose(files, { pattern: dated, now: NOW }).notes).toMatchObject([{ file: mistyped, why: AHEAD }]);
  });

  test('of a list that is sent up to two days before count', () => {
    expect(chosen([on('2026-12-02', 1), on('2026-11-30', 0)])).toMatchObject({ newest: 'prices_2026-12-02.csv' });
  });

  test('do not keep back what comes after such a file was taken, whether it is there or gone', () => {
    const next = on('2026-11-30', 1);
    expect(chosen([mistyped, next], past(mistyped))).toEqual({
      newest: next.name,
      older: [mistyped.name],
      passedOver: [],
    });
    expect(chosen([next], past(mistyped))).toMatchObject({ newest: next.name });
    // The clock says that it came before.
    const late = on('2026-11-28', 50);
    expect(chosen([late], past(mistyped))).toEqual({
      newest: undefined,
      older: [],
      passedOver: [`${late.name} is older than ${mistyped.name}, which was taken before`],
    });
    expect(chosen([mistyped, late], past(mistyped))).toEqual({
      newest: mistyped.name,
      older: [late.name],
      passedOver: [],
    });
  });

  test('let a file be taken before its day only if it came after all others and nothing else is new', () => {
    const taken = on('2026-11-29', 20);
    const late = on('2062-11-29', 10);
    expect(chosen([taken, mistyped], past(taken))).toEqual({
      newest: taken.name,
      older: [],
      passedOver: [`${mistyped.name} ${AHEAD}`],
    });
    expect(chosen([taken, late], past(taken))).toEqual({ newest: late.name, older: [taken.name], passedOver: [] });
    expect(chosen([mistyped], past(taken))).toEqual({
      newest: undefined,
      older: [],
      passedOver: [`${mistyped.name} ${AHEAD}`],
    });
    expect(chosen([late], past(taken))).toMatchObject({ newest: late.name });
    expect(chosen([taken, late, on('2026-11-30', 15)], past(taken))).toMatchObject({
      newest: 'prices_2026-11-30.csv',
      older: [taken.name],
    });
  });

  test('of clocks do not decide where names have no dates', () => {
    const ahead = file('a.csv', NOW + 300 * DAY);
    const plain = { pattern };
    const today = file('b.csv', NOW - 1000);
    expect(chosen([ahead, today], undefined, plain)).toEqual({ newest: 'b.csv', older: ['a.csv'], passedOver: [] });
    expect(chosen([ahead, today], past(ahead), plain)).toEqual({ newest: 'b.csv', older: ['a.csv'], passedOver: [] });
    // What came after a file with a good time is new, but not what was taken before it.
    expect(chosen([ahead, today], past(today), plain)).toEqual({ newest: 'a.csv', older: ['b.csv'], passedOver: [] });
    expect(chosen([ahead, today], past(today, [], [ahead]), plain)).toEqual({
      newest: 'b.csv',
      older: ['a.csv'],
      passedOver: [],
    });
    expect(chosen([ahead, file('c.csv', NOW + 301 * DAY)], undefined, plain)).toMatchObject({ newest: 'c.csv' });
    expect(choose([ahead, today], { pattern, now: NOW }).notes).toMatchObject([
      { file: ahead, why: 'has a time of change in the future, which does not count' },
    ]);
    // A date in the name goes before the clock.
    expect(chosen([{ ...on('2026-11-30', 0), mtimeMs: NOW + 300 * DAY }, on('2026-11-29', 1)])).toMatchObject({
      newest: 'prices_2026-11-30.csv',
    });
  });

  test('of a clock that is years ahead are compared with each other', () => {
    const plain = { pattern };
    const [first, second, third] = [1, 2, 3].map((day) => file(`${day}.csv`, NOW + (300 + day) * DAY)) as [
      Listed,
      Listed,
      Listed,
    ];
    expect(chosen([first, second], past(second, [], [first]), plain)).toMatchObject({ newest: second.name });
    expect(chosen([first, second, third], past(second, [], [first]), plain)).toMatchObject({ newest: third.name });
    // One that comes late is older, whether it was taken before or not.
    expect(chosen([first, second], past(second), plain)).toMatchObject({ newest: second.name, older: [first.name] });
  });

  test('in names of a place without times are compared with each other, and what is due sooner waits for its day', () => {
    const of = (date: string) => ({ ...on(date, 0), mtimeMs: null });
    const [last, next, sooner] = [of('2569-11-29'), of('2569-11-30'), of('2026-12-05')];
    expect(chosen([last, next], past(last))).toMatchObject({ newest: next.name, older: [last.name] });
    expect(chosen([last, sooner], past(last))).toEqual({
      newest: last.name,
      older: [],
      passedOver: [`${sooner.name} ${AHEAD}`],
    });
    expect(chosen([last, sooner], past(last), { now: Date.UTC(2026, 11, 5) })).toMatchObject({ newest: sooner.name });
  });

  test('do not make a file new that was taken and that a later one without a time has followed', () => {
    const [undated, late] = [{ ...on('2026-11-29', 0), mtimeMs: null }, on('2062-11-29', 10)];
    expect(chosen([undated, late], past(undated))).toMatchObject({ newest: late.name });
    expect(chosen([undated, late], past(late, [], [undated]))).toMatchObject({ newest: late.name });
  });

  const DATES = ['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-09', '2062-11-29', '2063-01-01'];
  const times = fc.oneof(
    fc.constant(null),
    fc.integer({ min: 1, max: 200 }).map((hours) => NOW - hours * 3_600_000),
    fc.integer({ min: 300, max: 310 }).map((days) => NOW + days * DAY),
  );
  const arriving = fc.record({ nth: fc.nat(DATES.length - 1), mtimeMs: times, id: fc.option(fc.nat(3)) });
  const arrivals = fc.array(fc.array(arriving, { maxLength: 3 }), { minLength: 1, maxLength: 5 });

  test.each([
    { isDated: true, uniqueNames: true },
    { isDated: true, uniqueNames: false },
    { isDated: false, uniqueNames: true },
    { isDated: false, uniqueNames: false },
  ])('lead to one file at a time, to none twice, and past none that is newer: %j', ({ isDated, uniqueNames }) => {
    const nameOf = (nth: number) => (isDated ? `prices_${DATES[nth]}.csv` : `${nth}.csv`);
    const choosing = { pattern: isDated ? dated : pattern, uniqueNames, now: NOW };
    fc.assert(
      fc.property(arrivals, (days) => {
        let there: Listed[] = [];
        const known = ledger();
        let size = 0;
        const arrive = (come: Listed[]) => {
          const all = [...there, ...come];
          const isReplaced = ({ name }: Listed, nth: number) => all.findLastIndex((one) => one.name === name) !== nth;
          there = uniqueNames ? all.filter((file, nth) => !isReplaced(file, nth)) : all;
        };
        const look = () => {
          const choice = choose(there, { ...choosing, past: known.past() });
          const fates = [choice.newest, ...choice.older].filter((one) => one !== undefined);
          const names = [...fates, ...choice.passedOver].map(({ name }) => name);
          expect(names.toSorted()).toEqual(there.map(({ name }) => name).toSorted());
          if (choice.newest === undefined || known.isLast(choice.newest)) return undefined;
          expect(known.isTaken(choice.newest)).toBe(false);
          known.note(choice.newest, choice.older);
          return choice.newest;
        };
        for (const day of days) {
          arrive(
            day.map(({ nth, mtimeMs, id }) => {
              const one = file(nameOf(nth), mtimeMs, (size += 1));
              return id === null ? one : Object.assign(one, { id: `${size}:${id}` });
            }),
          );
          for (let looks = 0; look() !== undefined; looks += 1) expect(looks).toBeLessThan(there.length);
        }
        // Whatever came before: a list of today that comes now is taken at once, and stays what is taken.
        const today = file(isDated ? 'prices_2026-12-01.csv' : 'today.csv', NOW - 1);
        arrive([today]);
        expect(look()).toBe(today);
      }),
      { numRuns: 300 },
    );
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
