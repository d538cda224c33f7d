import { expect, test } from 'vitest';
import { logWords } from '../src/log-words.ts';

test.each([
  [{ msg: 'run began', feed: 'north', run: 'r1', cause: 'schedule' }, 'north: run r1 began (schedule)'],
  [
    {
      msg: 'run ended',
      feed: 'north',
      run: 'r1',
      outcome: 'live',
      rows: { read: 1250, live: 1204 },
      seconds: 12.3,
      reason: null,
    },
    'north: live, 1,204 of 1,250 rows live, 12.3 s (run r1)',
  ],
  [
    { msg: 'run ended', feed: 'north', run: 'r1', outcome: 'held', rows: null, seconds: 0.4, reason: 'too few rows' },
    'north: held, 0.4 s (run r1) — too few rows',
  ],
  [{ msg: 'mail sent', recipient: 'ops@example.com', run: null }, 'mail to ops@example.com'],
  [{ msg: 'mail sent', recipient: 'ops@example.com', run: 'r1' }, 'mail to ops@example.com about run r1'],
  [
    { msg: 'upload moved', login: 'main', upload: 'u1', offerId: null, from: 'intended', to: 'sending', note: null },
    'main: upload u1 intended → sending',
  ],
  [
    { msg: 'ready', scheduledFeeds: 1, home: '/srv', redis: 'Redis' },
    'ready: 1 scheduled feed; home /srv; queue at Redis',
  ],
  [{ msg: 'stopping', signal: 'SIGTERM' }, 'stopping (SIGTERM): work under way is handed back'],
  [{ msg: 'something rare' }, null],
])('%j', (fields, words) => {
  expect(logWords(fields)).toBe(words);
});
