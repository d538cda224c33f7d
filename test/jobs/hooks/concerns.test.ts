import { expect, test } from 'vitest';
import { toldTo } from '../../../src/jobs/hooks/concerns.ts';
import type { Payload } from '../../../src/notify/hooks/payload.ts';

const ALL = ['north', 'south'];

function about(type: Payload['type'], data: object): { payload: Payload; feeds: string[] } {
  return { payload: { type, timestamp: '2026-05-04T06:30:00.000Z', sandbox: false, data } as Payload, feeds: ALL };
}

function incident(kind: string, numbers: object = {}) {
  return about('incident.opened', { incident: '1', kind, numbers });
}

test('a hook of one feed is not told what other feeds have in the dataset', () => {
  const part = (feed: string) => ({ feed, run: `run of ${feed}`, rows: 7 });
  const live = about('dataset.live', { login: 'main', feeds: ALL.map(part) });
  expect(toldTo('chat', { feeds: ['north'] }, live)?.data).toMatchObject({ feeds: [part('north')] });
  expect(toldTo('chat', { feeds: undefined }, live)).toBe(live.payload);
});

test('nor of other hooks and of backups', () => {
  for (const kind of ['hook-stopped', 'missing-backup']) {
    expect(toldTo('chat', { feeds: ['north'] }, incident(kind, { hooks: 'ops' }))).toBeNull();
    expect(toldTo('chat', { feeds: undefined }, incident(kind, { hooks: 'ops' }))).not.toBeNull();
  }
  expect(toldTo('chat', { feeds: ['north'] }, incident('damaged-archive'))).not.toBeNull();
});

test('a hook is not told that it takes nothing', () => {
  const stopped = incident('hook-stopped', { hooks: 'chat ops' });
  expect(['chat', 'ops', 'shop'].map((hook) => toldTo(hook, { feeds: undefined }, stopped) !== null)).toEqual([
    false,
    false,
    true,
  ]);
});
