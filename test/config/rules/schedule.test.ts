import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCron } from '../../../src/calendar/cron.ts';
import { WELL_KNOWN_ZONES } from '../../../src/calendar/well-known-zones.ts';
import { isTimeZone, schedulesAreReal } from '../../../src/config/rules/schedule.ts';
import { load } from '../config-file.ts';

const CONFIG = `
logins: { main: {} }
feeds:
  north: { login: main, source: { type: directory, path: inbox }, schedule: { cron: "0 6 * * *" } }
`;

/** A field whose numbers are now and then beyond what it may hold. */
function field(least: number, most: number): fc.Arbitrary<string> {
  const number = fc.integer({ min: Math.max(0, least - 1), max: most + 2 }).map(String);
  const range = fc.oneof(
    fc.constant('*'),
    fc.tuple(number, number).map(([from, to]) => `${from}-${to}`),
  );
  const stepped = fc.tuple(range, fc.integer({ min: 0, max: most + 3 })).map(([part, step]) => `${part}/${step}`);
  const part = fc.oneof({ weight: 4, arbitrary: number }, { weight: 4, arbitrary: fc.constant('*') }, range, stepped);
  return fc
    .oneof({ weight: 4, arbitrary: part.map((one) => [one]) }, fc.array(part, { minLength: 2, maxLength: 3 }))
    .map((parts) => parts.join(','));
}

test('a schedule is accepted when the parser of schedules finds a time for it, and refused when it does not', async () => {
  const { config } = await load(CONFIG);
  const north = config.feeds['north']!;
  const cron = fc
    .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
    .map((all) => all.join(' '));
  fc.assert(
    fc.property(cron, (expression) => {
      const schedule = { cron: expression, timezone: 'UTC' };
      const findings = schedulesAreReal({ ...config, feeds: { north: { ...north, schedule } } });
      expect([expression, findings.length === 0]).toEqual([expression, isRead(expression)]);
    }),
    { numRuns: 500 },
  );
});

test('the zones that are known without a question exist', () => {
  for (const zone of WELL_KNOWN_ZONES) expect(new Intl.DateTimeFormat('en', { timeZone: zone }).format(0)).not.toBe('');
  expect(isTimeZone('America/Sao_Paulo')).toBe(true);
  expect(isTimeZone('Europe/Atlantis')).toBe(false);
});

function isRead(expression: string): boolean {
  try {
    readCron(expression).after(0);
    return true;
  } catch {
    return false;
  }
}
