import { expect, test } from 'vitest';
import type { StatusLine } from '../../../src/jobs/standing/status-line.ts';
import { lostRows, shownTone } from '../../../src/web/parts/tone.ts';

const line: StatusLine = {
  tone: 'good',
  what: 'feed',
  name: 'north',
  login: 'main',
  rows: 7,
  since: 1,
  says: 'live',
  next: null,
  about: {},
  action: null,
};
const none = { rejectedLocally: 0, rejectedRemotely: 0, unexplained: 0 };

test('what is good is worth a look only where rows of it are not live', () => {
  expect(shownTone(line)).toBe('good');
  expect(shownTone({ ...line, notLive: { run: 'r', rows: none } })).toBe('good');
  for (const group of ['rejectedLocally', 'rejectedRemotely', 'unexplained'] as const) {
    const notLive = { run: 'r', rows: { ...none, [group]: 2 } };
    expect(lostRows(notLive.rows)).toEqual([{ group, count: 2 }]);
    expect(shownTone({ ...line, notLive })).toBe('look');
    expect(shownTone({ ...line, tone: 'bad', notLive })).toBe('bad');
  }
});
