import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { statusScreen } from '../../../src/cli/status/screen.ts';
import type { StatusAnswer } from '../../../src/jobs/standing/status.ts';

type StatusLine = StatusAnswer['lines'][number];

const line = (given: Partial<StatusLine>): StatusLine => ({
  tone: 'good',
  what: 'feed',
  name: 'north',
  login: 'main',
  rows: 1204,
  since: 0,
  says: 'live',
  next: null,
  ...given,
});
const status = (lines: StatusLine[]): StatusAnswer => ({
  at: 0,
  home: '/srv/offerline',
  sandbox: false,
  clear: true,
  workers: [],
  unserved: [],
  lines,
});
const HELD = line({ tone: 'waiting', says: 'held: too few rows', next: 'offerline show 20261123-213538-eyjpb' });

test('where several processes work, they are told below the lines, with names that write nothing else', () => {
  const worker = {
    id: 'w',
    name: 'cellar',
    host: 'h',
    version: '1.0.0',
    migration: '018-workers',
    serves: ['nas', 'vpn'],
    state: 'works' as const,
    stays: true,
    since: 0,
    seen: 55_000,
    doing: ['feed north', 'login main'],
  };
  const attic = { ...worker, name: 'at\u001B[2Jtic', state: 'silent' as const, serves: [], doing: [] };
  const several = { ...status([line({})]), at: 60_000, workers: [attic, worker] };
  expect(statusScreen(several, { columns: 120, rows: 24 }, false)).toBe(
    `1970-01-01 00:01:00 UTC  /srv/offerline

   name          live rows  state
✓  north (main)      1,204  live

worker                  version  since (UTC)       last seen  serves    works on
at\\u{1b}[2Jtic  silent  1.0.0    1970-01-01 00:00  5 s ago
cellar          works   1.0.0    1970-01-01 00:00  5 s ago    nas, vpn  feed north, login main

All clear: every feed is live and every dataset verified.`,
  );
  expect(statusScreen({ ...several, workers: [worker] }, { columns: 120, rows: 24 }, false)).not.toContain('cellar');
});

test('each line has its next command below it, and the last line says what to think of it all', () => {
  const lines = [HELD, line({ what: 'login', name: 'main', says: 'live since 1970-01-01 00:00, proved' })];
  expect(statusScreen(status(lines), { columns: 80, rows: 24 }, false)).toBe(
    `1970-01-01 00:00:00 UTC  /srv/offerline

   name          live rows  state
!  north (main)      1,204  held: too few rows
   offerline show 20261123-213538-eyjpb
✓  login main        1,204  live since 1970-01-01 00:00, proved

1 line above needs attention.`,
  );
});

test.each([
  [[line({})], 'All clear: every feed is live and every dataset verified.'],
  [[line({ tone: 'busy' }), line({})], 'Nothing needs attention; 1 in progress.'],
  [[line({}), line({ tone: 'quiet' })], 'Nothing needs attention; 1 line not live yet or paused.'],
  [[line({ tone: 'bad' }), HELD], '2 lines above need attention.'],
])('the verdict of case %# is true', (lines, verdict) => {
  expect(statusScreen(status(lines), { columns: 80, rows: 24 }, false).split('\n').at(-1)).toBe(verdict);
});

test('what does not fit is left out where nothing has to be done, and counted', () => {
  const lines = [HELD, ...Array.from({ length: 30 }, () => line({}))];
  const screen = statusScreen(status(lines), { columns: 80, rows: 12 }, false).split('\n');
  expect(screen).toHaveLength(11);
  expect(screen[4]).toBe('   offerline show 20261123-213538-eyjpb');
  expect(screen[8]).toBe('   and 27 more: none of them needs attention');
});

test('colours are ours alone: what a supplier wrote is spelled out', () => {
  const evil = line({ tone: 'bad', says: '\u001B[2Jgone' });
  const screen = statusScreen(status([evil]), { columns: 80, rows: 24 }, true);
  expect(screen).toContain('\u001B[31m\\u{1b}[2Jgone\u001B[39m');
  expect(screen).not.toContain('\u001B[2J');
});

test('any screen fits any terminal, and no command is cut', () => {
  const lines = fc.array(
    fc.record({
      tone: fc.constantFrom('bad', 'waiting', 'busy', 'good', 'quiet'),
      what: fc.constantFrom('login', 'feed'),
      name: fc.string({ minLength: 1, maxLength: 20 }),
      login: fc.string({ minLength: 1, maxLength: 10 }),
      rows: fc.option(fc.nat()),
      since: fc.constant(null),
      says: fc.string({ unit: 'grapheme', maxLength: 300 }),
      next: fc.option(fc.constant('offerline show 20261123-213538-eyjpb')),
    }),
    { maxLength: 60 },
  );
  const size = fc.record({ columns: fc.integer({ min: 60, max: 200 }), rows: fc.integer({ min: 10, max: 80 }) });
  fc.assert(
    fc.property(lines, size, (all, { columns, rows }) => {
      const screen = statusScreen(status(all), { columns, rows }, false).split('\n');
      expect(screen.length).toBeLessThan(rows);
      expect(screen.filter((text) => stringWidth(text) > columns)).toEqual([]);
      expect(screen.filter((text) => text.includes('offerline show') && !text.endsWith('eyjpb'))).toEqual([]);
    }),
  );
});
