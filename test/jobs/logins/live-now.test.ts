import { expect, test } from 'vitest';
import type { IncidentFacts } from '../../../src/incidents.ts';
import { doubtIn, liveNow, type Doubt, type LiveFacts } from '../../../src/jobs/logins/live-now.ts';
import { rowCounts } from '../../support/answers.ts';

const AT = Date.UTC(2026, 4, 4);
const NORTH = { ...rowCounts({ read: 40, live: 20, rejectedRemotely: 20 }), rejections: { sha256: 'a', total: 20 } };
const CERTAIN: LiveFacts = {
  proved: { intent: 'i', offerId: '17', at: AT, feeds: new Map([['north', NORTH]]) },
  elsewhere: [],
  unproved: null,
  unverified: null,
  open: null,
};
const PROVED = { live: 20, rejectedRemotely: 20, since: '2026-05-04T00:00:00.000Z', upload: '17' };
const UNCERTAIN = { live: null, rejectedRemotely: null, since: null, upload: null };

test('what is live of a feed is what the newest proved upload says of it', () => {
  expect(liveNow('north', CERTAIN)).toEqual({ ...PROVED, doubt: null, proved: PROVED });
  const none = { ...PROVED, live: 0, rejectedRemotely: 0 };
  expect(liveNow('south', CERTAIN)).toEqual({ ...none, doubt: null, proved: none });
});

test('where nothing was ever proved nothing is live', () => {
  const nothing = { live: 0, rejectedRemotely: 0, since: null, upload: null, doubt: null, proved: null };
  expect(liveNow('north', { ...CERTAIN, proved: null })).toEqual(nothing);
  const open = { ...CERTAIN, proved: null, open: { name: '18' } };
  expect(liveNow('north', open)).toEqual({ ...UNCERTAIN, doubt: 'upload 18 is under way', proved: null });
});

const THEIRS: IncidentFacts = {
  kind: 'foreign-upload',
  login: 'main',
  feed: null,
  run: null,
  text: 'theirs is live',
};

test.each<[string, Partial<LiveFacts>, Doubt]>([
  [
    'a stranger',
    { elsewhere: [{ incident: THEIRS, seenAt: AT }] },
    { text: 'theirs is live', elsewhere: true, why: { code: 'elsewhere', incident: THEIRS } },
  ],
  [
    'no proof',
    { unproved: { offerId: '18' } },
    {
      text: 'upload 18 was accepted but could not be confirmed as live',
      elsewhere: true,
      why: { code: 'unproved', upload: '18' },
    },
  ],
  [
    'a failure',
    { unverified: '18' },
    {
      text: 'the service failed upload 18, and what it now serves has not been verified yet',
      elsewhere: true,
      why: { code: 'unverified', upload: '18' },
    },
  ],
  [
    'an upload of ours',
    { open: { name: '18' } },
    { text: 'upload 18 is under way', elsewhere: false, why: { code: 'open', upload: '18' } },
  ],
])('%s puts it in doubt, and what was proved last is still said', (_, facts, doubt) => {
  const doubtful = { ...CERTAIN, ...facts };
  expect(doubtIn(doubtful)).toEqual(doubt);
  expect(liveNow('north', doubtful)).toEqual({ ...UNCERTAIN, doubt: doubt.text, proved: PROVED });
});

test('what was proved after a stranger was seen has taken its place', () => {
  expect(doubtIn({ ...CERTAIN, elsewhere: [{ incident: THEIRS, seenAt: AT - 1 }] })).toBeNull();
});

test('a feed in the dataset without an account is unknown, not empty', () => {
  const proved = { ...CERTAIN.proved!, feeds: new Map([['north', null]]) };
  expect(liveNow('north', { ...CERTAIN, proved })).toEqual({
    ...UNCERTAIN,
    doubt: 'the account of north in upload 17 is not known',
    proved: null,
  });
});
