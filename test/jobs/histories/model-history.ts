import type { modelFiles } from './model-files.ts';
import { modelLedger, type Decided, type Delivery, type Intent, type Said } from './model-ledger.ts';
import { referenceLogin, winnersOf, type Accepted } from './reference-login.ts';
import { FEEDS, PARTS, type Sending, type Step } from './model-steps.ts';

type Sent = { intent: Intent; accepted: Accepted; offerId: string };

/** A history: what the ledger holds and what the reference says go through the same steps, and share no conclusion. */
export function modelHistory(files: ReturnType<typeof modelFiles>, allowedPercent: number) {
  const ledger = modelLedger(files, allowedPercent / 100);
  const reference = referenceLogin(FEEDS, allowedPercent);
  const feeds = new Map(FEEDS.map((name) => [name, { priority: 1 }]));
  const left = new Set<string>();
  const sentOf = new Map<Intent, Sent>();
  const proved: Sent[] = [];
  const givenUp: Sent[] = [];
  let open: Sent | null = null;
  let rejecting = 0;
  let now = 1_000_000;

  const configured = () => Object.fromEntries([...feeds].filter(([name]) => !left.has(name)));

  function acceptedOf(intent: Intent, priorities: Record<string, number>): Accepted {
    const offers = new Map([...intent.deliveries].map(([name, { lines }]) => [name, new Set(lines.map(partIn))]));
    const nothing = { rejected: new Set<number>(), named: new Set<number>(), vague: 0 };
    const { delivered } = intent;
    return { ours: true, state: 'open', feedOf: winnersOf(offers, priorities), offers, delivered, ...nothing };
  }

  /** The service has done with an upload. */
  async function close(sent: Sent, step: Sending): Promise<Decided[]> {
    const { intent, accepted, offerId } = sent;
    open = null;
    now += 1;
    if (step.fate === 'failed' || step.fate === 'aborted') {
      accepted.state = step.fate;
      ledger.failed(intent, offerId);
      return [];
    }
    accepted.state = 'success';
    return settle(sent, step, step.fate !== 'unproved');
  }

  async function settle(sent: Sent, step: Sending, isProved: boolean): Promise<Decided[]> {
    const { intent, accepted, offerId } = sent;
    const upload = ledger.newest();
    const known = upload?.intent === intent ? upload : { intent, offerId, closedAt: now };
    const decided = await ledger.succeeded(known, saidOf(accepted, step), isProved);
    if (!isProved) return decided;
    reference.prove(accepted);
    proved.push(sent);
    return decided;
  }

  async function send(intent: Intent, accepted: Accepted, step: Sending): Promise<Decided[]> {
    const sent = { intent, accepted, offerId: intent.id };
    rejecting ^= step.turn;
    sentOf.set(intent, sent);
    if (step.fate === 'refused') {
      ledger.refused(intent);
      givenUp.push(sent);
      return [];
    }
    reject(accepted, rejecting);
    reference.accepted.push(accepted);
    ledger.sent(sent.offerId);
    open = sent;
    return step.fate === 'open' ? [] : close(sent, step);
  }

  async function deliver(step: Extract<Step, { kind: 'deliver' }>): Promise<Decided[]> {
    const deliveries = step.deliveries.filter(({ feed: name }) => !left.has(name)).map(linesOf);
    if (deliveries.length === 0) return [];
    const intent = await ledger.compose(deliveries, configured(), { id: String(now), at: now });
    const priorities = Object.fromEntries([...feeds].map(([name, { priority }]) => [name, priority]));
    return send(intent, acceptedOf(intent, priorities), step);
  }

  async function rollBack(step: Extract<Step, { kind: 'roll back' }>): Promise<Decided[]> {
    const to = proved[step.to % Math.max(1, proved.length)];
    if (to === undefined) return [];
    const fresh = { id: String(now), at: now, delivered: new Set<string>(), isRollback: true, result: null };
    const { feedOf, offers } = to.accepted;
    const nothing = { rejected: new Set<number>(), named: new Set<number>(), vague: 0, delivered: fresh.delivered };
    return send({ ...to.intent, ...fresh }, { ours: true, state: 'open', feedOf, offers, ...nothing }, step);
  }

  /** What is live is looked at; `finds`: time has proved what was not proved, or was not any more. */
  async function look(finds: boolean): Promise<Decided[]> {
    const current = ledger.newest();
    const live = reference.newest();
    if (current === undefined || live === undefined) return [];
    if (!live.ours) {
      ledger.incidents.foreign = now;
      return [];
    }
    ledger.incidents.foreign = ledger.incidents.late = null;
    if (!finds || current.intent.result === 'refused') return [];
    const sent = sentOf.get(current.intent)!;
    if (current.intent.result === 'unproved') return settle(sent, CLEAR, true);
    ledger.provedAgain();
    reference.reverify();
    return [];
  }

  /** An upload that was given up turns out to have been taken. */
  async function late(step: Extract<Step, { kind: 'late' }>): Promise<Decided[]> {
    const current = ledger.newest();
    if (givenUp.length === 0 || (!step.isLive && current === undefined)) return [];
    const sent = givenUp.shift()!;
    const { intent, accepted, offerId } = sent;
    accepted.state = 'success';
    reject(accepted, rejecting);
    if (!step.isLive) {
      reference.cameBefore(accepted);
      ledger.late({ intent, offerId, closedAt: current!.closedAt - 1 });
      return [];
    }
    reference.accepted.push(accepted);
    const same = current !== undefined && String(intent.index) === String(current.intent.index);
    if (!same && intent.at > (current?.intent.at ?? 0)) return settle(sent, step, step.fate !== 'unproved');
    if (!same && String(intent.index) !== String(ledger.lastVerified()?.intent.index)) ledger.incidents.late = now;
    ledger.late({ intent, offerId, closedAt: now });
    return [];
  }

  async function somebodyElse(succeeds: boolean): Promise<Decided[]> {
    const nothing = { feedOf: new Map(), offers: new Map(), delivered: new Set<string>(), vague: 0 };
    const none = { rejected: new Set<number>(), named: new Set<number>() };
    reference.accepted.push({ ours: false, state: succeeds ? 'success' : 'failed', ...nothing, ...none });
    return succeeds ? look(false) : [];
  }

  return {
    ledger,
    reference,
    /** Takes a step, and answers with what the product decided of each feed. */
    take: async (step: Step): Promise<Decided[]> => {
      // A stranger may be seen in the very millisecond of a proof.
      now += step.kind === 'somebody else' ? step.later : 1;
      if (step.kind === 'prioritise') feeds.set(step.feed, { priority: step.priority });
      if (step.kind === 'leave or return' && !left.delete(step.feed)) left.add(step.feed);
      if (step.kind === 'finish') return open === null || step.fate === 'open' ? [] : close(open, step);
      // A login has one upload at a time, and looks at nothing else meanwhile.
      if (open !== null) return [];
      if (step.kind === 'deliver') return deliver(step);
      if (step.kind === 'roll back') return rollBack(step);
      if (step.kind === 'look') return look(step.finds);
      if (step.kind === 'somebody else') return somebodyElse(step.succeeds);
      return step.kind === 'late' ? late(step) : [];
    },
  };
}

const CLEAR = { turn: 0, fate: 'proved', manner: 'clear', count: 0 } satisfies Sending;

/** The spellings differ, the parts do not. */
function linesOf({ feed: name, parts, ...counts }: { feed: string; parts: number } & Omit<Delivery, 'feed' | 'lines'>) {
  const spelled = (part: number) => (name === 'north' ? `Bosch\t0 986-${part}` : `BOSCH\t0986.${part}`);
  return { feed: name, lines: partsIn(parts).map((part) => `${part}\t${spelled(part)}\t${name}`), ...counts };
}

const partIn = (line: string) => Number(line.split('\t')[0]);

const partsIn = (some: number) => PARTS.filter((_, at) => (some & (1 << at)) !== 0);

function reject(accepted: Accepted, rejecting: number): void {
  accepted.rejected = new Set(partsIn(rejecting).filter((part) => accepted.feedOf.has(part)));
}

/** What the service says of a success, and what nobody can know by it. */
function saidOf(accepted: Accepted, { manner, count }: Sending): Said {
  const rejected = [...accepted.rejected];
  const unnamed = manner === 'illegible' ? Math.min(count, rejected.length) : 0;
  const errorsKnown = manner !== 'no-errors';
  accepted.named = new Set(errorsKnown ? rejected.slice(unnamed) : []);
  const stray = manner === 'stray-lines' ? count : 0;
  accepted.vague = errorsKnown ? unnamed + stray : Infinity;
  const sent = accepted.feedOf.size;
  const processed = stray > 0 ? sent - stray : [null, sent, sent + 1][count % 3]!;
  return { oems: [...accepted.named].map((part) => `0986${part}`), untraced: unnamed, errorsKnown, processed };
}
