import { describe, expect, test } from 'vitest';
import { apply, nextStep } from '../../../src/upload/protocol/protocol.ts';
import { isUnfinished } from '../../../src/upload/protocol/service-record.ts';
import { after, attempt, NOW, record, settings, type Polled } from '../attempt.ts';

describe('an upload under way', () => {
  const submitted = attempt({ state: 'submitted', offerId: '9', known: [] });
  const polled = (changes: Parameters<typeof record>[1]): Polled => ({
    type: 'polled',
    record: record('9', changes),
  });

  test.each(['success', 'failed', 'aborted'] as const)('%s ends it with what the service says', (state) => {
    const error = state === 'success' ? null : 'column brand is missing';
    const waited = { ...submitted, waits: 9 };
    const ended = after(waited, polled({ state, error, linesProcessed: 3, errorFileExists: true }));
    expect(ended).toMatchObject({ state, note: null, waits: 0 });
    expect(ended.service).toEqual({ state, error, linesProcessed: 3, errorFileExists: true, lastModified: NOW });
    expect(nextStep(ended, NOW)).toEqual({ do: 'closed' });
  });

  test('a state that is not documented is unfinished, and said', () => {
    const waiting = after(submitted, polled({ state: 'archiving' }));
    expect(waiting.state).toBe('submitted');
    expect(waiting.note).toBe(
      'the service says "archiving", a state that its documentation does not list; treated as unfinished',
    );
    expect(isUnfinished({ state: 'toString' })).toBe(true);
  });

  test('no progress for the stall time is noted, with the time of the last; progress takes the note back', () => {
    let still = after(submitted, polled({ state: 'processing' }));
    while (still.nextAt < NOW + 900_000) {
      still = after(still, polled({ state: 'processing' }), still.nextAt);
      expect(still.note).toBe('the service says processing, 10 lines');
    }
    const stalled = after(still, polled({ state: 'processing' }), NOW + 900_000);
    expect(stalled.note).toBe('the service says processing, 10 lines; no progress since 2026-05-04T06:00:00.000Z');
    const moved = after(stalled, polled({ state: 'processing', linesProcessed: 11 }), NOW + 900_001);
    expect(moved).toMatchObject({
      note: 'the service says processing, 11 lines',
      watched: 0,
      progressAt: NOW + 900_001,
    });
    const touched = after(stalled, polled({ state: 'processing', lastModified: NOW + 1 }), NOW + 900_001);
    expect(touched.progressAt).toBe(NOW + 900_001);
  });

  test('the stall time is what was watched: neither a clock that is set nor a worker that was away shortens it', () => {
    let still = after(submitted, polled({ state: 'processing' }));
    for (let n = 0; n < 20; n++) {
      const at = { clock: 'this machine', ms: NOW + n };
      still = apply(still, { ...polled({ state: 'processing' }), at }, NOW + n * 3_600_000, settings());
      expect(still.note).toBe('the service says processing, 10 lines');
    }
    const back = after(still, polled({ state: 'processing' }), NOW + 24 * 3_600_000);
    expect(back.note).toBe('the service says processing, 10 lines');
  });

  test('polls slow down while nothing moves and quicken when it does', () => {
    let at = submitted;
    const pauses: number[] = [];
    for (const linesProcessed of [0, 0, 0, 0, 5]) {
      const now = at.nextAt === 0 ? NOW : at.nextAt;
      at = after(at, polled({ state: 'processing', linesProcessed }), now);
      pauses.push(Math.round(at.nextAt - now));
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 1000]);
  });

  test('a poll that fails waits and says so', () => {
    const failed = after(submitted, { type: 'poll-failed', why: 'answered 404', retryAfter: null });
    expect(failed).toMatchObject({ state: 'submitted', note: 'answered 404', waits: 1, silentSince: NOW });
  });
});
