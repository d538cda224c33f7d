import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IntentRow, UploadRow } from '../../src/ledger/schema/schema.ts';
import { toAttempt, toColumns } from '../../src/upload/protocol/attempt-row.ts';
import type { Attempt, ProtocolEvent, Reading } from '../../src/upload/protocol/attempt.ts';
import { recordsToCompare } from '../../src/upload/protocol/after-probe.ts';
import { apply, nextStep } from '../../src/upload/protocol/protocol.ts';
import { isUnfinished } from '../../src/upload/protocol/service-record.ts';
import { attempt as freshAttempt, NOW, settings as plainSettings } from './attempt.ts';
import { modelService, type Dice, type Manners, type ModelService } from './model-service.ts';
import { repetitions } from '../support/repetitions.ts';

const SETTLE = 10_000;
const LEASE = 2000;
/** The longest that a list lags behind; what is accepted late is listed within the settle window all the same. */
const LAG = 4000;
/** No service here asks for a longer pause, and no clock that is set makes one of it. */
const LONGEST_WAIT = 5000;
/** Far more than any history needs: one that has not ended by then does not end. */
const MAX_STEPS = 3000;

type World = {
  service: ModelService;
  dice: Dice;
  /** What time has really passed, and how far the wall clock is ahead of it. */
  now: number;
  ahead: number;
  /** The machine whose worker is at it; each has a monotonic clock of its own. */
  machine: number;
  settings: ReturnType<typeof plainSettings>;
  /** The probe that the living worker made last, since when it has not waited. */
  lastProbe: { at: number; busy: boolean } | null;
};

const wall = ({ now, ahead }: World) => now + ahead;

/** What the clock of the machine that probes shows; each began at another time. */
const reading = ({ now, machine }: World): Reading => ({ clock: `machine ${machine}`, ms: now - machine * 1_000_000 });

/** Somebody sets the clock, by minutes, hours or a day. */
function setClock(world: World): void {
  const by = [60_000, 3_600_000, 86_400_000][world.dice(3)] ?? 0;
  world.ahead += world.dice(2) === 0 ? by : -by;
}

/** One intent driven as `drive.ts` does it; the worker may be killed after any step and another goes on from the ledger. */
function drive(world: World, intent: string): Attempt {
  const { dice, service, settings } = world;
  let attempt = freshAttempt({ tokens: [`${intent}a1`] });
  const step = (event: ProtocolEvent) => {
    attempt = apply(attempt, event, wall(world), settings);
    if (dice(20) === 19) restart();
  };
  /** A killed worker leaves what the ledger holds; nobody goes on before its lease has ended. */
  const restart = () => {
    attempt = fromLedger(attempt, wall(world));
    world.lastProbe = null;
    world.now += LEASE;
    world.machine = dice(3);
    if (attempt.state === 'sending') attempt = apply(attempt, { type: 'sender-gone' }, wall(world), settings);
  };
  for (let n = 0; n < MAX_STEPS; n++) {
    if (dice(12) === 11) service.foreignUpload();
    if (dice(15) === 14) setClock(world);
    expect(service.openOfOurs().length).toBeLessThanOrEqual(1);
    const next = nextStep(attempt, wall(world));
    if (next.do === 'closed' && attempt.state !== 'lost') return attempt;
    if (next.do === 'closed') {
      const { tokens, known } = attempt;
      attempt = freshAttempt({ tokens: [`${intent}a${tokens.length + 1}`, ...tokens], known });
    } else if (next.do === 'denied') {
      // Whoever proves the credentials lets it go on from the ledger.
      attempt = fromLedger(attempt, wall(world));
      world.lastProbe = null;
    } else if (next.do === 'wait') {
      expect(next.until - wall(world)).toBeLessThanOrEqual(LONGEST_WAIT);
      // Whoever is free goes on after a wait.
      if (dice(8) === 7) attempt = fromLedger(attempt, wall(world));
      if (dice(4) === 3) world.machine = dice(3);
      world.now = next.until - world.ahead;
      world.lastProbe = null;
    } else if (next.do === 'probe') step(probe(world, attempt, intent));
    else if (next.do === 'poll') step(poll(world, attempt));
    else {
      attempt = apply(attempt, { type: 'sending' }, wall(world), settings);
      checkSending(world, intent);
      const event = post(world, { owner: intent, token: attempt.tokens[0] });
      if (event === 'killed') restart();
      else step(event);
    }
    world.now += 1 + dice(300);
  }
  throw new Error(`The history does not end: ${JSON.stringify(attempt)}`);
}

/** A sender has probed just before, and found nothing unfinished, and nothing of this intent. */
function checkSending({ lastProbe, service }: World, intent: string): void {
  expect(lastProbe).toMatchObject({ busy: false });
  expect(service.accepted(intent).filter((one) => one.at <= (lastProbe?.at ?? 0) - service.lag)).toEqual([]);
}

function probe(world: World, attempt: Attempt, intent: string): ProtocolEvent {
  const { service, dice, settings } = world;
  if (dice(6) === 5) return { type: 'probe-failed', why: 'no reply', retryAfter: dice(2) * 5000 };
  if (attempt.state !== 'intended' && dice(10) === 9) {
    return { type: 'denied', refusal: { status: 401, text: 'expired' } };
  }
  const records = service.list();
  world.lastProbe = { at: world.now, busy: records.some(isUnfinished) };
  for (const record of recordsToCompare(attempt, records, settings.otherTokens)) {
    if (dice(5) === 4) return { type: 'compared', record, same: null };
    if (service.ownerOf(record.id) === intent) return { type: 'compared', record, same: true };
  }
  return { type: 'probed', records, at: reading(world) };
}

function poll(world: World, attempt: Attempt): ProtocolEvent {
  const { service, dice } = world;
  const record = dice(6) === 5 ? undefined : service.get(attempt.offerId ?? '');
  if (record === undefined) return { type: 'poll-failed', why: 'no reply', retryAfter: null };
  return { type: 'polled', record, at: reading(world) };
}

function post({ service }: World, upload: { owner: string; token: string }): ProtocolEvent | 'killed' {
  const fate = service.post(upload);
  switch (fate.seen) {
    case 'reply':
      return { type: 'accepted', record: fate.record };
    case 'no':
      return { type: 'refused', refusal: { status: fate.status, text: 'no' } };
    case 'throttled':
      return { type: 'throttled', why: 'too many', retryAfter: fate.retryAfter };
    case 'not-connected':
      return { type: 'not-connected', why: 'ECONNREFUSED' };
    case 'nothing':
      return { type: 'unclear', why: 'the reply was lost', retryAfter: null };
    case 'killed':
      return 'killed';
  }
}

/** The attempt as another worker reads it: what is not a column is lost. */
function fromLedger(attempt: Attempt, now: number): Attempt {
  const row = JSON.parse(JSON.stringify(toColumns(attempt, now))) as UploadRow;
  const intent = { known_ids: attempt.known } as IntentRow;
  const read = toAttempt(row, intent, [...attempt.tokens]);
  expect(read).toEqual({ ...attempt, listed: null, denied: null });
  return read;
}

/** Drives three intents of one login, one after the other, through a world whose dice are thrown by fast-check. */
function live(throws: number[], manners: Manners) {
  let at = 0;
  const dice: Dice = (sides) => (throws[at++] ?? 0) % sides;
  const world: World = {
    dice,
    now: NOW,
    ahead: 0,
    machine: 0,
    lastProbe: null,
    settings: plainSettings({ settle: SETTLE, max: 1500, initial: 300, random: () => dice(100) / 100 }),
    service: modelService(manners, dice, () => world.now),
  };
  const otherTokens: string[] = [];
  return ['north', 'south', 'east'].map((intent) => {
    world.settings = { ...world.settings, otherTokens: [...otherTokens] };
    const ended = drive(world, intent);
    otherTokens.push(...ended.tokens);
    const served = world.service.served()?.id ?? null;
    return { intent, ended, accepted: world.service.accepted(intent), served };
  });
}

const throws = fc.array(fc.nat(9999), { maxLength: 400, size: 'max' });
const manners = (latest: number) =>
  fc.record({
    nameless: fc.boolean(),
    lenient: latest < 1 ? fc.boolean() : fc.constant(false),
    settle: fc.constant(SETTLE),
    latest: fc.constant(latest),
    lag: fc.constantFrom(0, 50, 300, LAG),
  });

test('an accepted intent is never sent again, what was live stays live when the next one fails, and every history ends', () => {
  fc.assert(
    fc.property(throws, manners(0.59), (script, how) => {
      let lastGood: string | null = null;
      for (const { ended, accepted, served } of live(script, how)) {
        expect(accepted.length).toBe(ended.state === 'refused' ? 0 : 1);
        expect(ended.offerId).toBe(accepted[0]?.id ?? null);
        if (ended.state === 'success') lastGood = ended.offerId;
        expect(served).toBe(lastGood);
      }
    }),
    { numRuns: repetitions(4000) },
  );
});

test('histories also end when uploads are accepted long after they were given up', () => {
  fc.assert(
    fc.property(throws, manners(5), (script, how) => {
      for (const { ended, accepted } of live(script, how)) {
        const ids = ended.state === 'refused' ? [null] : accepted.map((one) => one.id);
        expect(ids).toContain(ended.offerId);
      }
    }),
    { numRuns: repetitions(2000) },
  );
});
