import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseChange, type ChangesPast, missingBefore, type StoppedFile } from '../../../src/pull/choose/changes.ts';
import { choose, type Listed, nothingIn, waitingIn } from '../../../src/pull/choose/choose.ts';
import { deliveryKind, fileNames } from '../../../src/pull/choose/delivery-kind.ts';
import { patternOf } from '../../../src/pull/choose/pattern.ts';

const KINDS = { full: { pattern: 'full_*.csv' }, changes: { pattern: 'delta_{sequence}.csv' } };
const RUN = '20260504-060000-k7m2x';

/** A file that was changed at a second. */
function file(name: string, second: number): Listed {
  return { name, size: 1, mtimeMs: second * 1000 };
}

type Known = Partial<Omit<ChangesPast, 'names' | 'isTaken'>> & {
  taken?: string[];
  delivery?: Parameters<typeof fileNames>[0];
  pattern?: string;
};

function past({ taken = [], delivery = KINDS, pattern = '*', ...known }: Known = {}): ChangesPast {
  return {
    names: fileNames(delivery, pattern),
    last: null,
    numberBefore: null,
    stopped: [],
    isTaken: ({ name }) => taken.includes(name),
    isLast: ({ name }) => name === known.last?.name,
    ...known,
  };
}

function stopped(name: string, second: number, state: StoppedFile['state']): StoppedFile {
  return { ...file(name, second), run: RUN, state };
}

const named = (files: Listed[]) => files.map(({ name }) => name);

test('a name says what a file brings, unless it fits neither pattern or both', () => {
  expect(deliveryKind('full', 'x.csv')).toBe('full');
  expect(deliveryKind('changes', 'x.csv')).toBe('changes');
  expect(deliveryKind(KINDS, 'FULL_2026.CSV')).toBe('full');
  expect(deliveryKind(KINDS, 'delta_0007.csv')).toBe('changes');
  expect(deliveryKind(KINDS, 'delta_x.csv')).toBeNull();
  expect(deliveryKind({ ...KINDS, full: { pattern: '*.csv' } }, 'delta_7.csv')).toBeNull();
  expect(fileNames(KINDS, '*').whyUnknown('delta_x.csv')).toBe('fits neither delivery.full nor delivery.changes');
});

test.each([
  ['delta_{sequence}.csv', 'delta_0042.csv', 42],
  ['{csv,txt}_{sequence}*.{csv,zip}', 'txt_7-b.zip', 7],
  ['delta_{yyyy-MM-dd}_{sequence}.csv', 'delta_2026-11-29_3.csv', 3],
  ['delta_*.csv', 'delta_7.csv', null],
])('the pattern %s reads the number of %s', (pattern, name, number) => {
  expect(patternOf(pattern).matches(name)).toBe(true);
  expect(patternOf(pattern).sequenceOf(name)).toBe(number);
});

test('a pattern reads a date and a number of one name', () => {
  const { dateOf, sequenceOf, matches } = patternOf('delta_{sequence}_{dd.MM.yyyy}.csv');
  expect(dateOf('delta_12_29.11.2026.csv')).toBe(Date.UTC(2026, 10, 29));
  expect(sequenceOf('delta_12_29.11.2026.csv')).toBe(12);
  expect(matches('delta_x_29.11.2026.csv')).toBe(false);
});

test('the newest full list goes first; older files are superseded, and changes after it wait for their turn', () => {
  const files = [file('full_1.csv', 1), file('delta_1.csv', 2), file('full_2.csv', 3), file('delta_2.csv', 4)];
  const { take, superseded, next } = chooseChange(files, past());
  expect(take?.name).toBe('full_2.csv');
  expect(named(superseded).toSorted()).toEqual(['delta_1.csv', 'full_1.csv']);
  expect(named(next)).toEqual(['delta_2.csv']);
});

test('without a new full list the oldest changes go first', () => {
  const files = [file('delta_4.csv', 2), file('delta_2.csv', 9), file('delta_3.csv', 3), file('full_1.csv', 1)];
  const known = past({ last: file('full_1.csv', 1), taken: ['full_1.csv'] });
  const { take, next, superseded } = chooseChange(files, known);
  expect(take?.name).toBe('delta_2.csv');
  expect(named(next)).toEqual(['delta_3.csv', 'delta_4.csv']);
  expect(superseded).toEqual([]);
});

test('changes and full lists that are older than the last changes are passed over', () => {
  const files = [file('delta_2.csv', 7), file('full_1.csv', 1), file('delta_4.csv', 8)];
  const { take, passedOver } = chooseChange(files, past({ last: file('delta_3.csv', 3) }));
  expect(take?.name).toBe('delta_4.csv');
  expect(passedOver.map(({ name, why }) => `${name} ${why}`).toSorted()).toEqual([
    'delta_2.csv is older than delta_3.csv, which was taken before',
    'full_1.csv is older than delta_3.csv, which was taken before',
  ]);
});

test('changes of another number wait for those that are missing, and go on once these were waited for', () => {
  const files = [file('delta_0012.csv', 5), file('delta_0013.csv', 6)];
  const known = past({ last: file('delta_0009.csv', 3) });
  const { take, waits, next } = chooseChange(files, known);
  expect(take).toBeUndefined();
  expect(waits).toEqual({
    why: 'waits for delta_0010.csv, delta_0011.csv, which come before it',
    missing: ['delta_0010.csv', 'delta_0011.csv'],
    by: null,
  });
  expect(named(next)).toEqual(['delta_0012.csv', 'delta_0013.csv']);
  expect(chooseChange(files, { ...known, takesGap: true }).take?.name).toBe('delta_0012.csv');
  expect(chooseChange(files, { ...known, force: true }).take?.name).toBe('delta_0012.csv');
});

test.each([
  ['held', `delta_4.csv waits for a decision (run ${RUN}), and no new file is there`],
  ['open', `delta_4.csv is still being read (run ${RUN})`],
  [
    'rejected',
    `delta_4.csv was rejected (run ${RUN}), and no new file is there: ask for that file once more, or for a full list`,
  ],
] as const)(
  'where nothing is new, the last file is not all that was taken while one after it is %s',
  (state, reason) => {
    const files = [file('delta_3.csv', 3), file('delta_4.csv', 4)];
    const known = { last: file('delta_3.csv', 3), taken: ['delta_3.csv', 'delta_4.csv'] };
    expect(chooseChange(files, past(known))).toMatchObject({ take: undefined, known: { name: 'delta_3.csv' } });
    const changes = past({ ...known, stopped: [stopped('delta_4.csv', 4, state)] });
    expect(chooseChange(files, changes)).toMatchObject({ take: undefined, known: undefined });
    const choice = choose(files, {
      pattern: patternOf('*.csv'),
      past: { last: null, isSuperseded: () => false, changes },
    });
    expect(nothingIn('in', '*.csv', choice)).toMatchObject({ reason, waiting: { count: 0, by: { state } } });
  },
);

test.each([
  ['held', 'waits for a decision about delta_4.csv, which comes before it'],
  [
    'rejected',
    `stays behind delta_4.csv, which was rejected (run ${RUN}): that file once more or a full list lets it go on`,
  ],
  ['open', `waits until run ${RUN} has read delta_4.csv, which comes before it`],
] as const)('changes after a file that is %s are not taken, unless somebody says so', (state, why) => {
  const known = past({
    last: file('delta_3.csv', 3),
    taken: ['delta_4.csv'],
    stopped: [stopped('delta_4.csv', 4, state)],
  });
  const files = [file('delta_4.csv', 4), file('delta_5.csv', 5)];
  const { take, waits } = chooseChange(files, known);
  expect(take).toBeUndefined();
  expect(waits?.why).toContain(why);
  expect(waits?.by?.run).toBe(RUN);
  expect(chooseChange(files, { ...known, force: true }).take?.name).toBe('delta_5.csv');
});

test('a full list ends what was stopped, and so does another version of the file', () => {
  const known = past({
    last: file('delta_3.csv', 3),
    taken: ['delta_4.csv'],
    stopped: [stopped('delta_4.csv', 4, 'rejected')],
  });
  const files = [file('delta_5.csv', 5), file('full_2.csv', 6), file('delta_7.csv', 7)];
  expect(chooseChange(files, known).take?.name).toBe('full_2.csv');
  const again = [file('delta_4.csv', 8), file('delta_5.csv', 5)];
  expect(chooseChange(again, { ...known, isTaken: () => false }).take?.name).toBe('delta_4.csv');
});

test('changes that were missing are taken although those after them are held', () => {
  const known = past({ last: file('delta_3.csv', 3), stopped: [stopped('delta_5.csv', 5, 'held')] });
  expect(chooseChange([file('delta_4.csv', 9)], known).take?.name).toBe('delta_4.csv');
});

test('changes wait for a full list where names tell full lists from changes', () => {
  expect(chooseChange([file('delta_4.csv', 9)], past()).waits?.why).toBe(
    'waits for a full list that its changes can be put upon',
  );
  const always = past({ delivery: 'changes', pattern: 'delta_{sequence}.csv' });
  expect(chooseChange([file('delta_4.csv', 9)], always).take?.name).toBe('delta_4.csv');
});

test('changes without a number go by the dates in their names, else by time of change', () => {
  const dated = { full: { pattern: 'full_{yyyy-MM-dd}.csv' }, changes: { pattern: 'delta_{yyyy-MM-dd}.csv' } };
  const days = [file('delta_2026-11-03.csv', 1), file('delta_2026-11-02.csv', 9), file('full_2026-11-02.csv', 5)];
  const { take, next } = chooseChange(days, past({ delivery: dated }));
  expect([take?.name, ...named(next)]).toEqual(['full_2026-11-02.csv', 'delta_2026-11-02.csv', 'delta_2026-11-03.csv']);
  const timed = past({ delivery: 'changes', last: file('x.csv', 3) });
  expect(chooseChange([file('c.csv', 5), file('d.csv', 4), file('a.csv', 2)], timed).take?.name).toBe('d.csv');
});

test('where nothing is new the last file is known, and taken again only if that is asked for', () => {
  const known = past({ last: file('delta_3.csv', 3), taken: ['delta_3.csv'] });
  const files = [file('delta_3.csv', 3)];
  expect(chooseChange(files, known)).toMatchObject({ take: undefined, known: { name: 'delta_3.csv' } });
  expect(chooseChange(files, { ...known, again: true }).take?.name).toBe('delta_3.csv');
});

test('the same number with other bytes is taken, so that somebody can judge it', () => {
  expect(chooseChange([file('delta_3.csv', 9)], past({ last: file('delta_3.csv', 3) })).take?.name).toBe('delta_3.csv');
});

test.each([
  ['delta_{yyyy-MM-dd}.csv', 'delta_2026-11-30.csv', true],
  ['delta_{sequence}.csv', 'delta_3.csv', false],
  ['delta_*.csv', 'delta_a.csv', false],
])('changes by %s that were written anew under their name are said to be', (pattern, name, isSaid) => {
  const delivery = { full: { pattern: 'full_{yyyy-MM-dd}.csv' }, changes: { pattern } };
  const remarksOf = (files: Listed[], changes: ChangesPast) => {
    const known = { last: null, isSuperseded: () => false, changes };
    return waitingIn(choose(files, { pattern: patternOf('*.csv'), past: known })).remarks?.map(({ text }) => text);
  };
  const text = `${name} was written anew since it was taken: its changes are put upon those of before`;
  expect(remarksOf([file(name, 9)], past({ delivery, last: file(name, 3) }))).toEqual(isSaid ? [text] : []);
  expect(remarksOf([file(name, 9)], past({ delivery, last: file('full_2026-11-29.csv', 3) }))).toEqual([]);
});

const UNKNOWN = 'other.csv fits neither delivery.full nor delivery.changes';

test('what a place holds is said with what waits there', () => {
  const changes = past({ last: file('delta_3.csv', 3) });
  const files = [file('delta_5.csv', 9), file('other.csv', 9)];
  const choice = choose(files, {
    pattern: patternOf('*.csv'),
    past: { last: null, isSuperseded: () => false, changes },
  });
  expect(nothingIn('inbox', '*.csv', choice)).toEqual({
    kind: 'nothing',
    reason:
      'delta_5.csv waits for delta_4.csv, which comes before it; other.csv fits neither delivery.full nor delivery.changes',
    incomplete: { there: ['delta_5.csv'], missing: ['delta_4.csv'] },
    waiting: { count: 0, by: null },
    remarks: [{ text: UNKNOWN, key: createHash('sha256').update(UNKNOWN).digest('base64url').slice(0, 8) }],
  });
});

test('a name with an impossible date fits no pattern', () => {
  const delivery = { full: { pattern: 'full_{yyyy-MM-dd}.csv' }, changes: { pattern: 'delta_{yyyy-MM-dd}.csv' } };
  const files = [file('full_2026-13-01.csv', 9), file('delta_2026-02-30.csv', 8), file('delta_2026-02-28.csv', 3)];
  const { take, next, passedOver } = chooseChange(files, past({ delivery, last: file('full_2026-02-01.csv', 1) }));
  expect([take?.name, next]).toEqual(['delta_2026-02-28.csv', []]);
  expect(passedOver).toEqual(
    ['full_2026-13-01.csv', 'delta_2026-02-30.csv'].map((name) => ({
      name,
      why: 'fits neither delivery.full nor delivery.changes',
    })),
  );
  const { newest } = choose([file('price_2026-13-01.csv', 9)], { pattern: patternOf('price_{yyyy-MM-dd}.csv') });
  expect(newest).toBeUndefined();
});

describe('numbers that are missing', () => {
  test.each([
    ['delta_7.csv', 'delta_6.csv', 5, [], true],
    ['delta_9.csv', 'delta_6.csv', null, ['delta_7.csv', 'delta_8.csv'], true],
    [
      'delta_10.csv',
      'delta_1.csv',
      null,
      ['delta_2.csv', 'delta_3.csv', 'delta_4.csv', 'delta_5.csv', 'delta_6.csv', 'and 3 more'],
      true,
    ],
    ['delta_7.csv', 'full_1.csv', null, [], false],
    ['delta_7.csv', 'full_1.csv', 6, [], false],
    ['delta_7.csv', 'full_1.csv', 5, ['delta_6.csv'], false],
    ['delta_1.csv', 'full_1.csv', 118, [], false],
    ['delta_0.csv', 'full_1.csv', 118, [], false],
    ['delta_3.csv', 'full_1.csv', 118, ['delta_1.csv', 'delta_2.csv'], false],
  ])('before %s after %s', (name, last, numberBefore, missing, isSure) => {
    const known = past({ last: file(last, 1), numberBefore });
    expect(missingBefore(file(name, 2), known)).toEqual({ missing, isSure });
  });

  test('a new day begins again at 1', () => {
    const delivery = { ...KINDS, changes: { pattern: 'delta_{yyyyMMdd}_{sequence}.csv' } };
    const known = past({ delivery, last: file('delta_20261128_05.csv', 1) });
    expect(missingBefore(file('delta_20261129_01.csv', 2), known).missing).toEqual([]);
    expect(missingBefore(file('delta_20261129_06.csv', 2), known).missing).toEqual([]);
    expect(missingBefore(file('delta_20261129_03.csv', 2), known).missing).toEqual([
      'delta_20261129_01.csv',
      'delta_20261129_02.csv',
    ]);
  });
});

/** A place of which files are taken one by one, as runs do it: what is taken is at once among the rows. */
function place() {
  const there: Listed[] = [];
  const superseded = new Set<Listed>();
  const taken: Listed[] = [];
  let numberBefore: number | null = 0;
  const names = fileNames(KINDS, '*');
  const pull = () => {
    const last = taken.at(-1) ?? null;
    const known = { ...past({ last, numberBefore }), isTaken: (one: Listed) => taken.includes(one) };
    const choice = chooseChange(
      there.filter((one) => !superseded.has(one)),
      known,
    );
    if (choice.take === undefined) return false;
    if (names.kindOf(choice.take.name) === 'full') {
      const numbers = [...named(taken), ...named(choice.superseded)].map(names.sequenceOf);
      numberBefore = Math.max(numberBefore ?? 0, ...numbers.map((number) => number ?? 0));
      for (const one of choice.superseded) superseded.add(one);
    }
    taken.push(choice.take);
    return true;
  };
  return { there, taken, pull };
}

test('whenever files arrive and are pulled, each counts once and in order, and none after one that is missing', () => {
  const history = fc.array(
    fc.record({ isFull: fc.boolean(), arrives: fc.integer({ min: 0, max: 8 }), pulls: fc.integer({ min: 0, max: 3 }) }),
    { minLength: 1, maxLength: 14 },
  );
  fc.assert(
    fc.property(history, (steps) => {
      let number = 0;
      const files = [{ isFull: true, arrives: 0, pulls: 1 }, ...steps].map(({ isFull, arrives, pulls }, at) => {
        const name = isFull ? `full_${at}.csv` : `delta_${(number += 1)}.csv`;
        return { isFull, pulls, file: file(name, at), at: at + arrives };
      });
      const { there, taken, pull } = place();
      for (const { file: arrived, pulls } of files.toSorted((a, b) => a.at - b.at)) {
        there.push(arrived);
        for (let times = 0; times < pulls; times++) pull();
      }
      while (pull());
      expect(new Set(taken).size).toBe(taken.length);
      const base = taken.findLastIndex(({ name }) => name.startsWith('full'));
      const since = files.filter(({ file: one, isFull }) => !isFull && one.mtimeMs! > taken[base]!.mtimeMs!);
      expect(named(taken.slice(base + 1))).toEqual(named(since.map(({ file: one }) => one)));
      // A full list that came too late is older than what was taken.
      const newest = files.findLast(({ isFull }) => isFull)!.file;
      expect(newest === taken[base] || newest.mtimeMs! < taken.at(-1)!.mtimeMs!).toBe(true);
    }),
  );
});

test('numbers that begin again with each full list stop nothing', () => {
  const lists = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(lists, fc.boolean(), (counts, pullsAtOnce) => {
      let second = 0;
      const files = counts.flatMap((count, at) => [
        file(`full_${at}.csv`, (second += 1)),
        ...Array.from({ length: count }, (_, index) => file(`delta_${index + 1}.csv`, (second += 1))),
      ]);
      const { there, taken, pull } = place();
      for (const arrived of files) {
        // A name comes again with other content.
        for (const one of there.filter(({ name }) => name === arrived.name)) there.splice(there.indexOf(one), 1);
        there.push(arrived);
        if (pullsAtOnce) pull();
      }
      while (pull());
      expect(taken.at(-1)).toEqual(files.at(-1));
    }),
  );
});
