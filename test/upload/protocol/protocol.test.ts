import { describe, expect, test } from 'vitest';
import type { ProtocolEvent } from '../../../src/upload/protocol/attempt.ts';
import { nextStep } from '../../../src/upload/protocol/protocol.ts';
import { after, attempt, probed, NOW, record, settings } from '../attempt.ts';

describe('sending', () => {
  const sending = after(after(attempt(), probed(record('1'))), { type: 'sending' });

  test('a reply with an id is an upload', () => {
    const accepted = after(sending, { type: 'accepted', record: record('9', { state: 'queued', linesProcessed: 0 }) });
    expect(accepted).toMatchObject({ state: 'submitted', offerId: '9', adopted: false });
    expect(accepted.service).toMatchObject({ state: 'queued', linesProcessed: 0 });
    expect(nextStep(accepted, accepted.nextAt)).toEqual({ do: 'poll' });
  });

  test('a reply that names an upload of before is somebody else’s: the probes show what was accepted', () => {
    const old = after(sending, { type: 'accepted', record: record('1') });
    expect(old).toMatchObject({ state: 'unknown', note: expect.stringContaining('upload 1, which was there before') });
    const found = after(old, probed(record('9', { sourceFile: 'x-ours1.txt' }), record('1')));
    expect(found).toMatchObject({ offerId: '9', adopted: true });
  });

  test('a connection that never opened takes it back at once, without a settle window', () => {
    const back = after(sending, { type: 'not-connected', why: 'ECONNREFUSED' });
    expect(back).toMatchObject({ state: 'intended', note: 'ECONNREFUSED', silentSince: NOW });
  });

  test('a connection that never opened waits longer each time', () => {
    let now = NOW;
    let at = attempt();
    const pauses: number[] = [];
    for (let n = 0; n < 4; n++) {
      at = after(
        after(after(at, probed(), now), { type: 'sending' }, now),
        { type: 'not-connected', why: 'down' },
        now,
      );
      pauses.push(Math.round(at.nextAt - now));
      now = at.nextAt;
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  });

  test.each<[string, ProtocolEvent]>([
    ['silence, a reset, a 5xx or HTML', { type: 'unclear', why: 'answered 502: <html>', retryAfter: null }],
    ['a sender that is gone', { type: 'sender-gone' }],
  ])('%s leaves the outcome unknown, and it is probed at once', (_what, event) => {
    const unknown = after(sending, event);
    expect(unknown).toMatchObject({ state: 'unknown', probes: 0, watched: 0 });
    expect(nextStep(unknown, NOW)).toEqual({ do: 'probe' });
  });

  test('an unclear reply with Retry-After is probed later', () => {
    const unknown = after(sending, { type: 'unclear', why: 'answered 503', retryAfter: 7000 });
    expect(nextStep(unknown, NOW)).toEqual({ do: 'wait', until: NOW + 7000 });
  });
});

describe('waiting', () => {
  const waitAfter = (waits: number, random: number) => {
    const failed: ProtocolEvent = { type: 'probe-failed', why: 'no', retryAfter: null };
    return after(attempt({ waits }), failed, NOW, settings({ random: () => random })).nextAt - NOW;
  };

  test.each([0, 1, 5, 20, 1000])(
    'after %i waits the pause lies between half the first interval and the longest',
    (waits) => {
      expect(waitAfter(waits, 0)).toBe(500);
      expect(waitAfter(waits, 1 - Number.EPSILON)).toBeLessThanOrEqual(Math.min(30_000, 1000 * 2 ** waits));
      expect(waitAfter(waits, 0.5)).toBeCloseTo(Math.min(15_000, 500 * 2 ** waits), 3);
    },
  );

  test('nothing is done before the time has come', () => {
    for (const state of ['intended', 'unknown', 'submitted'] as const) {
      expect(nextStep(attempt({ state, nextAt: NOW + 1, wait: 1 }), NOW)).toEqual({ do: 'wait', until: NOW + 1 });
    }
  });

  test.each(['success', 'failed', 'aborted', 'refused', 'lost'] as const)('%s is closed', (state) => {
    expect(nextStep(attempt({ state }), NOW)).toEqual({ do: 'closed' });
  });
});
