import { describe, expect, test } from 'vitest';
import type { Attempt, ProtocolEvent } from '../../src/upload/attempt.ts';
import { strangers } from '../../src/upload/after-look.ts';
import { apply, nextStep } from '../../src/upload/protocol.ts';
import { isUnfinished } from '../../src/upload/service-record.ts';
import { attempt, NOW, record, settings } from './attempt.ts';

const after = (before: Attempt, event: ProtocolEvent, now = NOW, set = settings()) => apply(before, event, now, set);
const looked = (...records: ReturnType<typeof record>[]): ProtocolEvent => ({ type: 'looked', records });

describe('before anything is sent', () => {
  test('the first look remembers what is listed, and a free way is sent on at once', () => {
    const seen = after(attempt(), looked(record('2'), record('1')));
    expect(seen).toMatchObject({ state: 'intended', known: ['2', '1'], note: null });
    expect(nextStep(seen, NOW)).toEqual({ do: 'send' });
  });

  test('a later look does not advance what was known', () => {
    const seen = after(attempt({ known: ['1'] }), looked(record('2'), record('1')));
    expect(seen.known).toEqual(['1']);
  });

  test('an empty list is knowledge too', () => {
    expect(after(attempt(), looked()).known).toEqual([]);
  });

  test('a free way is forgotten with the wait that follows it: there is no send without a look before it', () => {
    const seen = after(attempt(), looked());
    const back = after(after(seen, { type: 'sending' }), { type: 'not-connected', why: 'ECONNREFUSED' });
    expect(nextStep(back, back.nextAt)).toEqual({ do: 'look' });
  });

  test.each(['queued', 'processing', 'created', 'paused-by-moon'])(
    "someone else's upload that is %s is waited for, and said",
    (state) => {
      const waiting = after(attempt(), looked(record('7', { state })));
      expect(waiting).toMatchObject({ state: 'intended', waits: 1 });
      expect(waiting.note).toBe(`someone else's upload (7, ${state}) is unfinished; a login can have only one`);
      expect(nextStep(waiting, NOW)).toEqual({ do: 'wait', until: waiting.nextAt });
      expect(nextStep(waiting, waiting.nextAt)).toEqual({ do: 'look' });
    },
  );

  test('an unfinished upload of an earlier intent is waited for as ours', () => {
    const set = settings({ otherTokens: ['early'] });
    const earlier = record('7', { state: 'queued', sourceFile: 'offerline-main-early.txt' });
    expect(after(attempt(), looked(earlier), NOW, set).note).toContain('an earlier upload of ours (7, queued)');
  });

  test("a record that carries this attempt's token is adopted, unfinished or not", () => {
    const ours = record('9', { state: 'processing', sourceFile: 'offerline-main-ours1.txt' });
    const adopted = after(attempt({ known: [] }), looked(ours));
    expect(adopted).toMatchObject({
      state: 'submitted',
      offerId: '9',
      adopted: true,
      note: 'the service says processing, 10 lines',
    });
    const done = after(attempt({ known: [] }), looked({ ...ours, state: 'success' }));
    expect(done).toMatchObject({ state: 'success', offerId: '9', adopted: true });
    expect(nextStep(done, NOW)).toEqual({ do: 'closed' });
  });

  test('a record that carries the token of an earlier attempt at the same intent is adopted', () => {
    const second = attempt({ tokens: ['ours2', 'ours1'], known: [] });
    const late = record('9', { sourceFile: 'offerline-main-ours1.zip' });
    expect(after(second, looked(late))).toMatchObject({ state: 'success', offerId: '9', adopted: true });
  });

  test.each([401, 403])('a list that is denied with %i leaves it where it is, and nothing more is asked', (status) => {
    const refusal = { status, text: 'who are you?' };
    const denied = after(attempt(), { type: 'denied', refusal });
    expect(denied).toMatchObject({ state: 'intended', refusal: null, note: 'who are you?' });
    expect(nextStep(denied, NOW)).toEqual({ do: 'denied', refusal });
  });

  test('a look that fails waits, says why, and remembers since when the service is silent', () => {
    const first = after(attempt(), { type: 'look-failed', why: 'no reply', retryAfter: null });
    const second = after(first, { type: 'look-failed', why: 'still none', retryAfter: null }, NOW + 5000);
    expect(second).toMatchObject({ state: 'intended', note: 'still none', waits: 2, silentSince: NOW });
    expect(after(second, looked()).silentSince).toBeNull();
  });

  test('Retry-After is kept when it is longer than the backoff', () => {
    const failed = after(attempt(), { type: 'look-failed', why: 'busy', retryAfter: 120_000 });
    expect(failed.nextAt).toBe(NOW + 120_000);
  });
});

describe('sending', () => {
  const sending = after(after(attempt(), looked(record('1'))), { type: 'sending' });

  test('a reply with an id is an upload', () => {
    const accepted = after(sending, { type: 'accepted', record: record('9', { state: 'queued', linesProcessed: 0 }) });
    expect(accepted).toMatchObject({ state: 'submitted', offerId: '9', adopted: false });
    expect(accepted.service).toMatchObject({ state: 'queued', linesProcessed: 0 });
    expect(nextStep(accepted, accepted.nextAt)).toEqual({ do: 'poll' });
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
        after(after(at, looked(), now), { type: 'sending' }, now),
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
  ])('%s leaves the outcome unknown, and it is looked up at once', (_what, event) => {
    const unknown = after(sending, event);
    expect(unknown).toMatchObject({ state: 'unknown', looks: 0, firstLookAt: null });
    expect(nextStep(unknown, NOW)).toEqual({ do: 'look' });
  });

  test('an unclear reply with Retry-After is looked up later', () => {
    const unknown = after(sending, { type: 'unclear', why: 'answered 503', retryAfter: 7000 });
    expect(nextStep(unknown, NOW)).toEqual({ do: 'wait', until: NOW + 7000 });
  });
});

describe('a definite no', () => {
  const seen = after(attempt({ known: ['1'] }), looked(record('2'), record('1')));
  const no = (status: number) =>
    after(after(seen, { type: 'sending' }), { type: 'refused', refusal: { status, text: 'no' } });

  test('its meaning is open until the next look', () => {
    expect(no(409)).toMatchObject({
      state: 'unknown',
      note: 'outcome unknown: the service answered 409',
      refusal: { status: 409 },
    });
    expect(nextStep(no(409), NOW)).toEqual({ do: 'look' });
  });

  test('with nothing unfinished and nothing new it is final, with its text', () => {
    const refused = after(no(400), looked(record('2'), record('1')));
    expect(refused).toMatchObject({ state: 'refused', refusal: { status: 400, text: 'no' } });
    expect(nextStep(refused, NOW)).toEqual({ do: 'closed' });
  });

  test('beside an unfinished upload it is taken back and waits', () => {
    const back = after(no(409), looked(record('3', { state: 'queued' }), record('2'), record('1')));
    expect(back).toMatchObject({ state: 'intended', refusal: null, waits: 1 });
    expect(back.note).toContain("someone else's upload (3, queued)");
  });

  test('beside an upload that was made meanwhile and is finished already it is taken back', () => {
    const back = after(no(409), looked(record('3'), record('2'), record('1')));
    expect(back).toMatchObject({ state: 'intended', note: 'refused (409) while another upload was made' });
  });

  test("someone else's upload that had ended before this one was sent does not keep a refusal open", () => {
    expect(seen.known).toEqual(['1']);
    expect(after(no(400), looked(record('2'), record('1'))).state).toBe('refused');
  });

  test('a record with our token shows that the file was accepted all the same', () => {
    const twice = after(no(409), looked(record('3', { state: 'processing', sourceFile: 'x-ours1.txt' }), record('2')));
    expect(twice).toMatchObject({ state: 'submitted', offerId: '3', adopted: true });
  });

  test.each([401, 403])('%i is none of the file: it is taken back and waits for credentials', (status) => {
    const denied = after(no(status), looked(record('3'), record('2'), record('1')));
    expect(denied).toMatchObject({ state: 'intended', refusal: null });
    expect(nextStep(denied, NOW)).toMatchObject({ do: 'denied', refusal: { status, text: 'no' } });
  });

  test.each([400, 401])(
    'a %i stays open while the list is denied, and is told by the first look after that',
    (status) => {
      const denied = after(no(status), { type: 'denied', refusal: { status: 401, text: 'list denied' } });
      expect(denied).toMatchObject({ state: 'unknown', refusal: { status, text: 'no' } });
      expect(nextStep(denied, NOW)).toMatchObject({ do: 'denied', refusal: { text: 'list denied' } });
      const proved = after({ ...denied, denied: null }, looked(record('2'), record('1')));
      expect(proved.state).toBe(status === 400 ? 'refused' : 'intended');
    },
  );

  test('a 409 with Retry-After waits for as long as it asks', () => {
    const asked: ProtocolEvent = { type: 'refused', refusal: { status: 409, text: 'busy', retryAfter: 90_000 } };
    const busy = after(after(after(seen, { type: 'sending' }), asked), looked(record('3', { state: 'queued' })));
    expect(busy).toMatchObject({ state: 'intended', nextAt: NOW + 90_000 });
  });

  test.each([400, 403, 409, 422, 423, 429])('a %i beside an unfinished upload says nothing of the file', (status) => {
    expect(after(no(status), looked(record('3', { state: 'created' }))).state).toBe('intended');
  });

  test('a worker that was killed before the look still tells a refusal by what the intent knew', () => {
    const { listed: _, ...refusal } = no(400).refusal ?? { status: 0, text: '' };
    const again = after({ ...no(400), known: ['1'], refusal }, looked(record('2'), record('1')));
    expect(again.state).toBe('intended');
  });
});

describe('an unknown outcome', () => {
  const unknown = attempt({ state: 'unknown', known: ['1'] });
  const set = settings({ settle: 10_000, max: 1000 });

  test('our token in the list ends it', () => {
    const found = after(unknown, looked(record('2', { sourceFile: 'offerline-main-ours1.txt' }), record('1')));
    expect(found).toMatchObject({ state: 'success', offerId: '2', adopted: true });
  });

  test('a new record whose content is ours ends it', () => {
    const found = after(unknown, { type: 'compared', record: record('2', { state: 'queued' }), same: true });
    expect(found).toMatchObject({ state: 'submitted', offerId: '2', adopted: true });
  });

  test('a new record that cannot be read keeps it open and counts for nothing', () => {
    const open = after(unknown, { type: 'compared', record: record('2'), same: null });
    expect(open).toMatchObject({
      state: 'unknown',
      looks: 0,
      firstLookAt: null,
      note: 'upload 2 cannot be compared yet',
    });
  });

  test('it is lost only after five looks', () => {
    let at = unknown;
    for (const [n, time] of [0, 4000, 9000, 12_000].entries()) {
      at = after(at, looked(record('1')), NOW + time, set);
      expect(at).toMatchObject({ state: 'unknown', looks: n + 1, firstLookAt: NOW });
    }
    expect(after(at, looked(record('1')), NOW + 12_500, set)).toMatchObject({ state: 'lost', looks: 5 });
  });

  test('it is lost only after the settle window, and looks until then', () => {
    let at = unknown;
    let now = NOW;
    while (at.state === 'unknown') {
      expect(nextStep(at, now)).toEqual({ do: 'look' });
      at = after(at, looked(record('1')), now, set);
      if (at.state === 'unknown') now = at.nextAt;
    }
    expect(at).toMatchObject({ state: 'lost', looks: 11 });
    expect(now - NOW).toBe(10_000);
  });

  test('with a short window the looks are spread over it', () => {
    const tight = settings({ settle: 400 });
    let at = unknown;
    const times: number[] = [];
    for (let now = NOW; at.state === 'unknown'; now = at.nextAt) {
      times.push(now - NOW);
      at = after(at, looked(record('1')), now, tight);
    }
    expect(times).toEqual([0, 100, 200, 300, 400]);
  });

  test('looks that failed or were denied count for nothing', () => {
    const failed = after(unknown, { type: 'look-failed', why: 'no reply', retryAfter: null });
    const denied = after(failed, { type: 'denied', refusal: { status: 401, text: 'expired' } });
    expect(denied).toMatchObject({ state: 'unknown', looks: 0, firstLookAt: null, note: 'expired', refusal: null });
  });

  test('a second unknown outcome starts to count afresh', () => {
    const counted = attempt({ state: 'sending', known: [], looks: 4, firstLookAt: NOW - 1_000_000 });
    expect(after(counted, { type: 'sender-gone' })).toMatchObject({ looks: 0, firstLookAt: null });
  });
});

describe('an upload under way', () => {
  const submitted = attempt({ state: 'submitted', offerId: '9', known: [] });
  const polled = (changes: Parameters<typeof record>[1]): ProtocolEvent => ({
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
      'the service says "archiving", a state that its documentation does not list; taken as unfinished',
    );
    expect(isUnfinished({ state: 'toString' })).toBe(true);
  });

  test('no progress for the stall time is noted, with the time of the last; progress takes the note back', () => {
    const first = after(submitted, polled({ state: 'processing' }));
    const still = after(first, polled({ state: 'processing' }), NOW + 899_999);
    expect(still.note).toBe('the service says processing, 10 lines');
    const stalled = after(still, polled({ state: 'processing' }), NOW + 900_000);
    expect(stalled.note).toBe('the service says processing, 10 lines; no progress since 2026-05-04T06:00:00.000Z');
    const moved = after(stalled, polled({ state: 'processing', linesProcessed: 11 }), NOW + 900_001);
    expect(moved).toMatchObject({ note: 'the service says processing, 11 lines', progressAt: NOW + 900_001 });
    const touched = after(stalled, polled({ state: 'processing', lastModified: NOW + 1 }), NOW + 900_001);
    expect(touched.progressAt).toBe(NOW + 900_001);
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

describe('waiting', () => {
  const waitAfter = (waits: number, random: number) => {
    const failed: ProtocolEvent = { type: 'look-failed', why: 'no', retryAfter: null };
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
      expect(nextStep(attempt({ state, nextAt: NOW + 1 }), NOW)).toEqual({ do: 'wait', until: NOW + 1 });
    }
  });

  test.each(['success', 'failed', 'aborted', 'refused', 'lost'] as const)('%s is closed', (state) => {
    expect(nextStep(attempt({ state }), NOW)).toEqual({ do: 'closed' });
  });
});

describe('records whose content must be compared', () => {
  const records = [
    record('5', { sourceFile: null }),
    record('3', { sourceFile: 'offerline-main-early.txt' }),
    record('2'),
    record('1'),
  ];
  const named = record('4', { sourceFile: 'offerline-main-ours1.txt' });
  const ids = (at: Attempt, listed = records) => strangers(at, listed, ['early']).map((one) => one.id);

  test('are the new ones without a token of this ledger, when something of ours may be there', () => {
    expect(ids(attempt({ state: 'unknown', known: ['1'] }))).toEqual(['5', '2']);
    expect(ids(attempt({ tokens: ['ours2', 'ours1'], known: ['1'] }))).toEqual(['5', '2']);
  });

  test('are none when nothing was sent, when our token is listed, and at the first look', () => {
    expect(ids(attempt({ known: ['1'] }))).toEqual([]);
    expect(ids(attempt({ state: 'unknown', known: ['1'] }), [named, ...records])).toEqual([]);
    expect(ids(attempt({ state: 'unknown' }))).toEqual([]);
  });
});
