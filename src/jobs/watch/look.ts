import type { Context } from '../../context.ts';
import { dueIn } from '../../clock.ts';
import { isServiceError, messageOf, retryAfterMs, statusOf } from '../../errors.ts';
import { recover } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import {
  attemptsSince,
  foreignUploadOf,
  updateWatch,
  watchOf,
  type KnownAttempt,
} from '../../ledger/uploads/watches.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { isDenial } from '../../upload/protocol/denial.ts';
import { isUnfinished } from '../../upload/protocol/service-record.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import { assertNoSuccessor } from '../../upload/send/successor.ts';
import { credentialsDenied, credentialsTaken } from '../logins/denial.ts';
import { noteUnreachable } from '../logins/unreachable.ts';
import type { Findings, Look, StepOf, WatchEffect, Watching, WatchFacts } from './watch-facts.ts';

/** The service keeps uploads for 90 days: what is older is listed only while it is live, and then it is known as that. */
const REMEMBERED = 100 * 86_400_000;

/** Nothing of ours can be live yet: the next look is due in its time. */
export async function postponeLook({ login }: Watching, ctx: Context): Promise<Findings> {
  await updateWatch(ctx.ledger.db, login, dueIn(ctx.config.service.poll.watch, ctx.clock.now()));
  return { look: 'skipped' };
}

/** Reads the service's list, and what the ledger knows of it. A service that does not answer is asked again later. */
export async function lookAtList(work: Watching, { current, now }: WatchFacts, ctx: Context): Promise<WatchEffect> {
  const { login } = work;
  let records: Listed[];
  try {
    const known = current?.upload.offer_id ?? null;
    records = await listUntilKnown(ctx.offers(login), known === null ? [] : [known], work.signal);
  } catch (error) {
    work.signal.throwIfAborted();
    return lookFailed(work, current === null, error, ctx);
  }
  await assertNoSuccessor(records, login, ctx);
  await credentialsTaken(login, 'offer/list', ctx);
  const { watch: every, max } = ctx.config.service.poll;
  const soon = records.some(isUnfinished) ? Math.min(every, max) : every;
  const looked = { looked_at: now, ...dueIn(soon, now), waits: 0, silent_since: null, note: null };
  await updateWatch(ctx.ledger.db, login, looked);
  await noteUnreachable({ login, state: 'submitted', silent_since: null, note: null }, ctx);
  return { look: await knownOf(records, login, current, ctx) };
}

async function knownOf(records: Listed[], login: string, current: AcceptedUpload | null, ctx: Context): Promise<Look> {
  const { db } = ctx.ledger;
  const attempts = await attemptsSince(db, login, ctx.clock.now() - REMEMBERED);
  const live = records.find(({ state }) => state === 'success');
  const met = (await foreignUploadOf(db, login, live?.id ?? '')) ?? null;
  return { records, attempts: withCurrent(attempts, current), met };
}

/** The current upload may be older than the attempts that are remembered. */
function withCurrent(attempts: KnownAttempt[], current: AcceptedUpload | null): KnownAttempt[] {
  if (current === null || attempts.some(({ id }) => id === current.upload.id)) return attempts;
  return [...attempts, { ...current.upload, sha256: current.dataset.sha256 }];
}

/** The list cannot be read: noted and asked again later. Before a login's first upload nothing goes on without it. */
async function lookFailed({ login }: Watching, first: boolean, error: unknown, ctx: Context): Promise<WatchEffect> {
  if (!isServiceError(error)) throw error;
  const status = statusOf(error);
  if (status !== null && isDenial({ status })) {
    await credentialsDenied(login, { status, text: error.message }, ctx);
    return 'again';
  }
  const { waits, silent_since } = await watchOf(ctx.ledger.db, login);
  const { initial, watch: longest, max } = ctx.config.service.poll;
  const window = Math.min(first ? max : longest, initial * 2 ** Math.min(waits, 30));
  const asked = retryAfterMs(error) ?? 0;
  const now = ctx.clock.now();
  const due = dueIn(Math.max(asked, initial / 2, Math.random() * window), now);
  const note = messageOf(error);
  await updateWatch(ctx.ledger.db, login, { ...due, note, waits: waits + 1, silent_since: silent_since ?? now });
  ctx.log.debug({ login, reason: note }, 'what is live cannot be looked at');
  if (first) return { waitUntil: due.next_at };
  await noteUnreachable({ login, state: 'submitted', silent_since: silent_since ?? now, note }, ctx);
  return { look: 'failed' };
}

/** What is live is ours: the incidents that said otherwise are over. */
export async function confirmOurs(
  { record }: StepOf<'confirm'>,
  { login, lease }: Watching,
  ctx: Context,
): Promise<Findings> {
  const text = `what is live is ours again: upload ${record.id}`;
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    for (const kind of ['foreign-upload', 'late-arrival'] as const) {
      await recover(trx, { kind, login, text }, ctx.clock.now());
    }
  });
  return { confirmed: true };
}
