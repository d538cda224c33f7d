import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { describeLogins } from '../../../src/cli/queries/describe-logins.ts';
import { pause } from '../../../src/jobs/decisions/pause.ts';
import { loginStates, type LoginState } from '../../../src/jobs/standing/login-state.ts';
import { contextFor } from '../../upload/upload-world.ts';

const AT = Date.UTC(2026, 4, 4, 6);

/** A login of an installation, with what there may be to know of it. */
async function state(more: Partial<LoginState> = {}): Promise<LoginState> {
  const ctx = await contextFor('http://127.0.0.1:9');
  await pause({ kind: 'login', name: 'main' }, { who: 'ops', reason: 'x', via: 'cli', origin: null }, ctx);
  const [main] = await loginStates(ctx);
  return { ...main!, ...more };
}

const BUSY = {
  live: { rows: 123456, offerId: '9007199254740995', baseline: false, since: AT } as unknown as LoginState['live'],
  open: {
    upload: '9007199254740997',
    state: 'processing',
    note: 'the service is silent',
  } as unknown as LoginState['open'],
  waiting: ['north', 'south'],
  standing: [
    { feed: 'north', since: AT, deliveries: 2, last: { id: '20260504-060000-k7m2x', outcome: 'held' } },
  ] as unknown as LoginState['standing'],
};

test('on a terminal of 80 columns no line is wider, and nothing is cut', async () => {
  const busy = await state(BUSY);
  const text = describeLogins([busy], 80);
  expect(text.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
  expect(text).not.toContain('…');
  for (const said of ['123456', '9007199254740995', 'PAUSED', '9007199254740997 processing', 'north, south', 'k7m2x']) {
    expect(text.replaceAll(/\s+/g, ' ')).toContain(said);
  }
});

test('where nobody reads it at a terminal, or it is wide enough, all is one table', async () => {
  const busy = await state(BUSY);
  for (const columns of [undefined, 200]) {
    const [head, row, ...more] = describeLogins([busy], columns).split('\n');
    expect(head).toMatch(/^login +live rows +upload +live since \(UTC\) +open upload +feeds waiting$/);
    expect(row).toMatch(/^main \(PAUSED\) +123456 +9007199254740995 +2026-05-04 06:00:00 .*processing.* north, south$/);
    expect(more[0]).toContain('main: north has not moved since 2026-05-04 06:00:00; its last delivery was held');
  }
});
