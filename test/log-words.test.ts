import { expect, test } from 'vitest';
import { levelOfWords, logWords } from '../src/log-words.ts';

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
    {
      msg: 'mail not sent yet',
      recipient: 'ops@example.com',
      run: 'r1',
      tries: 1,
      reason: 'the server does not answer',
    },
    'mail to ops@example.com about run r1 is not sent yet and is tried again: the server does not answer',
  ],
  [
    { msg: 'mail given up', recipient: 'ops@example.com', run: null, tries: 9, reason: 'no such mailbox' },
    'mail to ops@example.com is given up: no such mailbox',
  ],
  [{ msg: 'mail not sent yet', recipient: 'ops@example.com', run: null, tries: 1, err: { stack: 'at …' } }, null],
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

test.each([
  ['live', null],
  ['nothing', null],
  ['held', 40],
  ['rejected', 50],
  ['failed', 50],
])('for people the end of a %s run is as grave as that', (outcome, level) => {
  expect(levelOfWords({ msg: 'run ended', outcome })).toBe(level);
  expect(levelOfWords({ msg: 'something rare', outcome })).toBeNull();
});
