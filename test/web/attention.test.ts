import { expect, test } from 'vitest';
import type { StatusLine } from '../../src/jobs/standing/status-line.ts';
import { countAttention } from '../../src/web/pages/now/attention.ts';

const FEED: StatusLine = {
  tone: 'waiting',
  what: 'feed',
  name: 'north',
  login: 'main',
  rows: null,
  since: null,
  says: '',
  next: null,
  action: null,
  about: {},
};

test.each<[string, Partial<StatusLine>]>([
  ['system', { what: 'work', tone: 'bad', action: 'start' }],
  ['system', { what: 'mail', tone: 'bad', action: 'look' }],
  ['login', { what: 'login', action: 'resume' }],
  ['login', { what: 'login', action: 'look', about: { incidentKind: 'unreachable' } }],
  ['held', { action: 'approve', about: { run: 'R1' } }],
  ['failed', { tone: 'bad', action: 'rerun', about: { run: 'R1' } }],
  ['failed', { tone: 'bad', action: 'look', about: { run: 'R1' } }],
  ['late', { action: 'look', about: { incidentKind: 'missing-delivery' } }],
  ['late', { tone: 'bad', action: 'look', about: { incidentKind: 'expiry' } }],
  ['stopped', { action: 'resume' }],
  ['stopped', { action: 'release', about: { incidentKind: 'frozen-feed' } }],
  ['other', { tone: 'bad', action: 'look', about: { incidentKind: 'lost-rows' } }],
  ['other', { action: 'look' }],
])('counts as %s: %o', (kind, changes) => {
  expect(countAttention([{ ...FEED, ...changes }])).toEqual([{ kind, count: 1 }]);
});

test('counts each kind once, in one order, without lines that need nobody', () => {
  const held: StatusLine = { ...FEED, action: 'approve' };
  const lines: StatusLine[] = [
    held,
    { ...FEED, what: 'login', tone: 'bad' },
    { ...FEED, tone: 'good' },
    { ...FEED, tone: 'quiet', action: 'run' },
    held,
  ];
  expect(countAttention(lines)).toEqual([
    { kind: 'login', count: 1 },
    { kind: 'held', count: 2 },
  ]);
});
