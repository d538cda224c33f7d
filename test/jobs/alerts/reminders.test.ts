import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reminderOf } from '../../../src/jobs/alerts/reminders.ts';
import type { IncidentRow } from '../../../src/ledger/schema/schema.ts';

const DAY = 24;

/** An open incident; times in hours. */
function incident(changes: Partial<IncidentRow>): IncidentRow {
  const row = { recovered_at: null, told_at: 0, taken_by: null, holder_told_at: 0, quiet_at: null };
  return { ...row, quiet_ended_at: null, quiet_ends_at: null, ...changes } as IncidentRow;
}

const facts = (now: number, more: { gone?: boolean; worked?: boolean } = {}) => {
  return { now, every: DAY, gone: false, worked: false, ...more };
};

const hour = fc.integer({ min: 0, max: 100 });
const known = fc.record({
  told_at: fc.option(hour),
  holder_told_at: fc.option(hour),
  taken_by: fc.option(fc.constant('anna')),
  quiet_at: fc.option(hour),
  quiet_by: fc.constantFrom('anna', 'ben'),
  quiet_ends_at: fc.option(hour),
  quiet_ended_at: fc.option(hour),
});
const circumstances = fc.record({ now: hour, gone: fc.boolean(), worked: fc.boolean() });

test('of what is quiet only who has it is reminded, unless they asked for it; of what was not announced nobody; nobody twice for one time', () => {
  fc.assert(
    fc.property(known, circumstances, (changes, { now, ...more }) => {
      const row = incident(changes);
      const reminded = reminderOf(row, facts(now, more));
      const end = row.quiet_ended_at ?? row.quiet_ends_at;
      const isQuiet = row.quiet_at !== null && (end === null || end > now);
      const hears = row.taken_by !== null && !more.gone && (row.holder_told_at === null || row.quiet_by !== 'anna');
      expect(reminded !== null && (row.told_at === null || (isQuiet && !hears))).toBe(false);
      expect(isQuiet && reminded === 'all').toBe(false);
      if (reminded === null) return;
      const claimed = { ...row, holder_told_at: now, ...(reminded === 'all' ? { told_at: now } : {}) };
      expect(reminderOf(claimed, facts(now, { ...more, worked: reminded === 'holder' }))).toBeNull();
    }),
  );
});

test('all are reminded a day after they were told last, unless somebody who is there does something about it', () => {
  fc.assert(
    fc.property(known, circumstances, (changes, { now, gone, worked }) => {
      const row = incident({ ...changes, quiet_at: null, told_at: changes.told_at ?? 0 });
      const isTheirs = row.taken_by !== null && !gone;
      const expected = row.told_at! <= now - DAY && !(isTheirs && worked);
      expect(reminderOf(row, facts(now, { gone, worked })) === 'all').toBe(expected);
      expect(!isTheirs && reminderOf(row, facts(now, { gone, worked })) === 'holder').toBe(false);
    }),
  );
});

test('whoever has it is reminded a day after they heard of it last, and at once of what they were given', () => {
  const taken = { taken_by: 'anna', told_at: 10 };
  expect(reminderOf(incident({ ...taken, holder_told_at: 12 }), facts(35, { worked: true }))).toBeNull();
  expect(reminderOf(incident({ ...taken, holder_told_at: 12 }), facts(36, { worked: true }))).toBe('holder');
  expect(reminderOf(incident({ ...taken, holder_told_at: null }), facts(11, { worked: true }))).toBe('holder');
});
