import { describe, expect, test } from 'vitest';
import { recordsToCompare } from '../../../src/upload/protocol/after-probe.ts';
import type { Attempt, Listed, ProtocolEvent } from '../../../src/upload/protocol/attempt.ts';
import { apply, nextStep } from '../../../src/upload/protocol/protocol.ts';
import { after, attempt, probed, NOW, record, settings } from '../attempt.ts';

describe('before anything is sent', () => {
  test('the first probe remembers what is listed, and a free way is sent on at once', () => {
    const seen = after(attempt(), probed(record('2'), record('1')));
    expect(seen).toMatchObject({ state: 'intended', known: ['2', '1'], note: null });
    expect(nextStep(seen, NOW)).toEqual({ do: 'send' });
  });

  test('a later probe does not advance what was known', () => {
    const seen = after(attempt({ known: ['1'] }), probed(record('2'), record('1')));
    expect(seen.known).toEqual(['1']);
  });

  test('an empty list is knowledge too', () => {
    expect(after(attempt(), probed()).known).toEqual([]);
  });

  test('a free way is forgotten with the wait that follows it: there is no send without a probe before it', () => {
    const seen = after(attempt(), probed());
    const back = after(after(seen, { type: 'sending' }), { type: 'not-connected', why: 'ECONNREFUSED' });
    expect(nextStep(back, back.nextAt)).toEqual({ do: 'probe' });
  });

  test.each(['queued', 'processing', 'created', 'paused-by-moon'])(
    "someone else's upload that is %s is waited for, and said",
    (state) => {
      const waiting = after(attempt(), probed(record('7', { state })));
      expect(waiting).toMatchObject({ state: 'intended', waits: 1 });
      expect(waiting.note).toBe(`someone else's upload (7, ${state}) is unfinished; a login can have only one`);
      expect(nextStep(waiting, NOW)).toEqual({ do: 'wait', until: waiting.nextAt });
      expect(nextStep(waiting, waiting.nextAt)).toEqual({ do: 'probe' });
    },
  );

  test('an unfinished upload of an earlier intent is waited for as ours', () => {
    const set = settings({ otherTokens: ['early'] });
    const earlier = record('7', { state: 'queued', sourceFile: 'offerline-main-early.txt' });
    expect(after(attempt(), probed(earlier), NOW, set).note).toContain('an earlier upload of ours (7, queued)');
  });

  test("a record that carries this attempt's token is adopted, unfinished or not", () => {
    const ours = record('9', { state: 'processing', sourceFile: 'offerline-main-ours1.txt' });
    const adopted = after(attempt({ known: [] }), probed(ours));
    expect(adopted).toMatchObject({
      state: 'submitted',
      offerId: '9',
      adopted: true,
      note: 'the service says processing, 10 lines',
    });
    const done = after(attempt({ known: [] }), probed({ ...ours, state: 'success' }));
    expect(done).toMatchObject({ state: 'success', offerId: '9', adopted: true });
    expect(nextStep(done, NOW)).toEqual({ do: 'closed' });
  });

  test('a record that carries the token of an earlier attempt at the same intent is adopted', () => {
    const second = attempt({ tokens: ['ours2', 'ours1'], known: [] });
    const late = record('9', { sourceFile: 'offerline-main-ours1.zip' });
    expect(after(second, probed(late))).toMatchObject({ state: 'success', offerId: '9', adopted: true });
  });

  test.each([401, 403])('a list that is denied with %i leaves it where it is, and nothing more is asked', (status) => {
    const refusal = { status, text: 'who are you?' };
    const denied = after(attempt(), { type: 'denied', refusal });
    expect(denied).toMatchObject({ state: 'intended', refusal: null, note: 'who are you?' });
    expect(nextStep(denied, NOW)).toEqual({ do: 'denied', refusal });
  });

  test('a probe that fails waits, says why, and remembers since when the service is silent', () => {
    const first = after(attempt(), { type: 'probe-failed', why: 'no reply', retryAfter: null });
    const second = after(first, { type: 'probe-failed', why: 'still none', retryAfter: null }, NOW + 5000);
    expect(second).toMatchObject({ state: 'intended', note: 'still none', waits: 2, silentSince: NOW });
    expect(after(second, probed()).silentSince).toBeNull();
  });

  test('Retry-After is kept when it is longer than the backoff', () => {
    const failed = after(attempt(), { type: 'probe-failed', why: 'busy', retryAfter: 120_000 });
    expect(failed.nextAt).toBe(NOW + 120_000);
  });
});

describe('a definite no', () => {
  const seen = after(attempt({ known: ['1'] }), probed(record('2'), record('1')));
  const no = (status: number) =>
    after(after(seen, { type: 'sending' }), { type: 'refused', refusal: { status, text: 'no' } });

  test('its meaning is open until the next probe', () => {
    expect(no(409)).toMatchObject({
      state: 'unknown',
      note: 'no; checking whether the service accepted the file anyway',
      refusal: { status: 409 },
    });
    expect(nextStep(no(409), NOW)).toEqual({ do: 'probe' });
  });

  /** Looks that all see the same, until the settle window is over; nothing else may come of it before. */
  function settledAfter(before: Attempt, ...records: Listed[]): Attempt {
    let at = before;
    while (at.state === 'unknown') {
      const now = Math.max(NOW, at.nextAt);
      expect(nextStep(at, now)).toEqual({ do: 'probe' });
      at = after(at, probed(...records), now);
      expect(at.state === 'unknown' || (at.probes >= 5 && now - NOW >= 600_000)).toBe(true);
    }
    return at;
  }

  test('with nothing unfinished and nothing new it is final after the settle window, with its text', () => {
    const refused = settledAfter(no(400), record('2'), record('1'));
    expect(refused).toMatchObject({ state: 'refused', refusal: { status: 400, text: 'no' } });
    expect(nextStep(refused, NOW)).toEqual({ do: 'closed' });
  });

  test('what it waits for is said until then', () => {
    const open = after(no(400), probed(record('2'), record('1')));
    expect(open).toMatchObject({
      state: 'unknown',
      note: 'no; checking whether the service accepted the file anyway; look 1 saw nothing',
    });
  });

  test('our file in a list that lagged behind ends it, and nothing was sent meanwhile', () => {
    let at = no(409);
    for (let n = 0; n < 4; n++) at = after(at, probed(record('1')), NOW + n * 30_000);
    const found = after(
      at,
      probed(record('3', { sourceFile: 'offerline-main-ours1.txt' }), record('1')),
      NOW + 120_000,
    );
    expect(found).toMatchObject({ state: 'success', offerId: '3', adopted: true, refusal: null });
  });

  test('beside an unfinished upload it is taken back after the settle window, and waits', () => {
    const open = after(no(409), probed(record('3', { state: 'queued' }), record('2'), record('1')));
    expect(open.note).toContain("someone else's upload (3, queued)");
    const back = settledAfter(no(409), record('3', { state: 'queued' }), record('2'), record('1'));
    expect(back).toMatchObject({ state: 'intended', refusal: null, waits: 1 });
    expect(back.note).toContain("someone else's upload (3, queued)");
  });

  test('beside an upload that ended within the settle window it is taken back', () => {
    const busy = after(no(409), probed(record('3', { state: 'queued' }), record('2'), record('1')));
    const back = settledAfter(busy, record('3'), record('2'), record('1'));
    expect(back).toMatchObject({ state: 'intended', note: 'refused (409) while another upload was made' });
  });

  test('beside an upload that was made meanwhile and is finished already it is taken back', () => {
    const back = settledAfter(no(409), record('3'), record('2'), record('1'));
    expect(back).toMatchObject({ state: 'intended', note: 'refused (409) while another upload was made' });
  });

  test("someone else's upload that had ended before this one was sent does not keep a refusal open", () => {
    expect(seen.known).toEqual(['1']);
    expect(settledAfter(no(400), record('2'), record('1')).state).toBe('refused');
  });

  test('a record with our token shows that the file was accepted all the same', () => {
    const twice = after(no(409), probed(record('3', { state: 'processing', sourceFile: 'x-ours1.txt' }), record('2')));
    expect(twice).toMatchObject({ state: 'submitted', offerId: '3', adopted: true });
  });

  test.each([401, 403])('%i is told at once, and sent again only after the probes found nothing', (status) => {
    const denied = after(no(status), probed(record('3'), record('2'), record('1')));
    expect(denied).toMatchObject({ state: 'unknown', refusal: { status, told: true } });
    expect(nextStep(denied, NOW)).toMatchObject({ do: 'denied', refusal: { status, text: 'no' } });
    const proved = after({ ...denied, denied: null }, probed(record('3'), record('2'), record('1')));
    expect(proved).toMatchObject({ state: 'unknown', denied: null });
    const settled = settledAfter(proved, record('3'), record('2'), record('1'));
    expect(settled).toMatchObject({ state: 'intended', refusal: null, denied: null });
  });

  test('a file that was taken by who said 403 is adopted when the list shows it', () => {
    const denied = after(no(403), probed(record('2')));
    const late = after({ ...denied, denied: null }, probed(record('3', { sourceFile: 'x-ours1.txt' }), record('2')));
    expect(late).toMatchObject({ offerId: '3', adopted: true });
  });

  test.each([400, 401])('a %i stays open while the list is denied, and is told by the probes after that', (status) => {
    const denied = after(no(status), { type: 'denied', refusal: { status: 401, text: 'list denied' } });
    expect(denied).toMatchObject({ state: 'unknown', refusal: { status, text: 'no' } });
    expect(nextStep(denied, NOW)).toMatchObject({ do: 'denied', refusal: { text: 'list denied' } });
    const proved = { ...denied, denied: null };
    const open = after(proved, probed(record('2'), record('1')));
    expect(open.state).toBe('unknown');
    const settled = settledAfter({ ...open, denied: null }, record('2'), record('1'));
    expect(settled.state).toBe(status === 400 ? 'refused' : 'intended');
  });

  test('a 409 with Retry-After waits for as long as it asks', () => {
    const asked: ProtocolEvent = { type: 'refused', refusal: { status: 409, text: 'busy', retryAfter: 90_000 } };
    const busy = after(after(after(seen, { type: 'sending' }), asked), probed(record('3', { state: 'queued' })));
    expect(busy).toMatchObject({ state: 'unknown', nextAt: NOW + 90_000, wait: 90_000 });
  });

  test.each([400, 409, 422, 423])('a %i beside an unfinished upload says nothing of the file', (status) => {
    expect(after(no(status), probed(record('3', { state: 'created' }))).state).toBe('unknown');
    expect(settledAfter(no(status), record('3', { state: 'created' })).state).toBe('intended');
  });

  test('a 403 beside an unfinished upload waits behind it', () => {
    expect(after(no(403), probed(record('3', { state: 'created' }))).state).toBe('unknown');
    expect(settledAfter(no(403), record('3', { state: 'created' })).state).toBe('intended');
  });

  test('a 429 was not accepted: it waits as long as it is asked to, probes once, and sends again', () => {
    const sending = after(seen, { type: 'sending' });
    const asked = after(sending, { type: 'throttled', why: 'answered 429', retryAfter: 90_000 });
    expect(asked).toMatchObject({ state: 'intended', note: 'answered 429', nextAt: NOW + 90_000 });
    expect(nextStep(asked, NOW + 90_000)).toEqual({ do: 'probe' });
    const free = after(asked, probed(record('1')), NOW + 90_000);
    expect(nextStep(free, NOW + 90_000)).toEqual({ do: 'send' });
    const unasked = after(sending, { type: 'throttled', why: 'answered 429', retryAfter: null });
    expect(unasked).toMatchObject({ state: 'intended', nextAt: NOW + 1000, waits: 1 });
    const again = after({ ...unasked, state: 'sending' }, { type: 'throttled', why: 'answered 429', retryAfter: null });
    expect(again).toMatchObject({ nextAt: NOW + 2000, waits: 2 });
  });

  test('a worker that was killed before the probe still tells a refusal by what the intent knew', () => {
    const { listed: _, ...refusal } = no(400).refusal ?? { status: 0, text: '' };
    const again = settledAfter({ ...no(400), known: ['1'], refusal }, record('2'), record('1'));
    expect(again.state).toBe('intended');
  });
});

describe('an unknown outcome', () => {
  const unknown = attempt({ state: 'unknown', known: ['1'] });
  const set = settings({ settle: 10_000, max: 1000 });

  test('our token in the list ends it', () => {
    const found = after(unknown, probed(record('2', { sourceFile: 'offerline-main-ours1.txt' }), record('1')));
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
      probes: 0,
      watched: 0,
      note: 'upload 2 cannot be compared yet',
    });
  });

  test('it is lost only after five probes', () => {
    let at = unknown;
    const slow = settings({ settle: 10_000, max: 10_000 });
    for (const [n, time] of [0, 4000, 9000, 12_000].entries()) {
      at = after({ ...at, wait: 60_000 }, probed(record('1')), NOW + time, slow);
      expect(at).toMatchObject({ state: 'unknown', probes: n + 1, watched: time });
    }
    expect(after(at, probed(record('1')), NOW + 12_500, slow)).toMatchObject({ state: 'lost', probes: 5 });
  });

  test('it is lost only after the settle window, and probes until then', () => {
    let at = unknown;
    let now = NOW;
    while (at.state === 'unknown') {
      expect(nextStep(at, now)).toEqual({ do: 'probe' });
      at = after(at, probed(record('1')), now, set);
      if (at.state === 'unknown') now = at.nextAt;
    }
    expect(at).toMatchObject({ state: 'lost', probes: 11 });
    expect(now - NOW).toBe(10_000);
  });

  test('with a short window the probes are spread over it', () => {
    const tight = settings({ settle: 400 });
    let at = unknown;
    const times: number[] = [];
    for (let now = NOW; at.state === 'unknown'; now = at.nextAt) {
      times.push(now - NOW);
      at = after(at, probed(record('1')), now, tight);
    }
    expect(times).toEqual([0, 100, 200, 300, 400]);
  });

  test('an hour that the wall clock was set forward is no time', () => {
    let at = unknown;
    for (let n = 0; n < 20; n++) {
      at = apply(at, { type: 'probed', records: [], at: { clock: 'a', ms: n } }, NOW + n * 3_600_000, set);
      expect(at).toMatchObject({ state: 'unknown', watched: n });
    }
  });

  test('an hour that the wall clock was set back delays nothing: what is further ahead than was planned is due', () => {
    const waiting = after(unknown, probed(record('1')), NOW, set);
    expect(nextStep(waiting, NOW)).toEqual({ do: 'wait', until: NOW + 1000 });
    expect(nextStep(waiting, NOW - 3_600_000)).toEqual({ do: 'probe' });
  });

  test('time in which nobody watched counts no more than the wait that was planned', () => {
    const waiting = after(unknown, probed(record('1')), NOW, set);
    expect(after(waiting, probed(record('1')), NOW + 86_400_000, set)).toMatchObject({ watched: 1000 });
  });

  test('two machines that take turns never count the same time twice, and get there', () => {
    let at = unknown;
    const zero = { a: 5_000_000, b: 17 };
    let now = NOW;
    for (let n = 0; at.state === 'unknown'; n++) {
      const clock = n % 2 === 0 ? 'a' : 'b';
      at = apply(at, { type: 'probed', records: [], at: { clock, ms: zero[clock] + now - NOW } }, now, set);
      expect(at.watched).toBeLessThanOrEqual(now - NOW);
      if (at.state === 'unknown') now = at.nextAt;
    }
    expect(at).toMatchObject({ state: 'lost', probes: 12 });
  });

  test('probes that failed or were denied count for nothing', () => {
    const failed = after(unknown, { type: 'probe-failed', why: 'no reply', retryAfter: null });
    const denied = after(failed, { type: 'denied', refusal: { status: 401, text: 'expired' } });
    expect(denied).toMatchObject({ state: 'unknown', probes: 0, watched: 0, note: 'expired', refusal: null });
  });

  test('a second unknown outcome starts to count afresh', () => {
    const counted = attempt({ state: 'sending', known: [], probes: 4, watched: 1_000_000 });
    expect(after(counted, { type: 'sender-gone' })).toMatchObject({ probes: 0, watched: 0, marks: {} });
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
  const ids = (at: Attempt, listed = records) => recordsToCompare(at, listed, ['early']).map((one) => one.id);

  test('are the new ones without a token of this ledger, when something of ours may be there', () => {
    expect(ids(attempt({ state: 'unknown', known: ['1'] }))).toEqual(['5', '2']);
    expect(ids(attempt({ tokens: ['ours2', 'ours1'], known: ['1'] }))).toEqual(['5', '2']);
  });

  test('are none when nothing was sent, when our token is listed, and at the first probe', () => {
    expect(ids(attempt({ known: ['1'] }))).toEqual([]);
    expect(ids(attempt({ state: 'unknown', known: ['1'] }), [named, ...records])).toEqual([]);
    expect(ids(attempt({ state: 'unknown' }))).toEqual([]);
  });
});
