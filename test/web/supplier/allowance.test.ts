import { expect, test } from 'vitest';
import { allow } from '../../../src/web/supplier/allowance.ts';

const HOUR = 3_600_000;
const GB = 1e9;

test('the files of an hour are together not larger than some of the largest', () => {
  const send = (now: number, bytes = 5 * GB) => allow('large', { bytes, largest: 5 * GB, now });
  for (const now of [0, 1, 2, 3]) expect(send(now)).toHaveProperty('file');
  expect(send(60_000)).toEqual({ again: HOUR - 60_000 });
  expect(send(HOUR)).toHaveProperty('file');
});

test('what did not come is not counted', () => {
  const send = (now: number) => allow('cut', { bytes: 5 * GB, largest: 5 * GB, now });
  for (let at = 0; at < 20; at += 1) {
    const sent = send(at);
    if ('file' in sent) sent.file.bytes = 1000;
    expect(sent).toHaveProperty('file');
  }
});

test('feeds do not count for each other, nor after the clock was set back', () => {
  const send = (feed: string, now: number) => allow(feed, { bytes: 1, largest: 1000, now });
  for (let at = 0; at < 30; at += 1) send('busy', HOUR);
  expect(send('busy', HOUR)).toHaveProperty('again');
  expect(send('other', HOUR)).toHaveProperty('file');
  expect(send('busy', 0)).toHaveProperty('file');
});
