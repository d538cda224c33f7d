import type { Context } from '../../context.ts';
import { dueIn, isDue } from '../../clock.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { recover } from '../../ledger/alerts/incidents.ts';
import type { Lease } from '../../ledger/lease.ts';
import { latestAccepted, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { attemptsSince, updateWatch, watchOf, type KnownAttempt } from '../../ledger/uploads/watches.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import { isDenial } from '../../upload/protocol/denial.ts';
import { isUnfinished } from '../../upload/protocol/service-record.ts';
import { lateArrivals, standingOf } from '../../upload/protocol/standing.ts';
import { credentialsDenied, credentialsTaken } from '../logins/denial.ts';
import { settleLate, type Late } from './late-arrival.ts';
import { meetForeignUpload, recogniseLate } from './foreign-upload.ts';
import { reverify } from './reverify.ts';
import { verifyLate } from './verify-late.ts';
import { takeOver } from './take-over.ts';
import { noteUnreachable } from '../logins/unreachable.ts';

/** A look at a login; `sending`: an upload is about to be composed, and `pending` runs wait for it. */
export type Watching = { login: string; lease: Lease; signal: AbortSignal; sending: boolean };

/** What a look came to: go on, begin again because something was decided, or wait until a time (epoch milliseconds). */
export type Watched = 'on' | 'again' | { waitUntil: number };

/** The service keeps uploads for 90 days: what is older is listed only while it is live, and then it is known as that. */
const REMEMBERED = 100 * 86_400_000;

/**
 * Looks whether what is live at a login is what this ledger made live: every `service.poll.watch`, and before each upload.
 * Call it under the login's lease while no intent is open. A service that does not answer is asked again later, and noted.
 */
export async function watchLogin(work: Watching, ctx: Context): Promise<Watched> {
  const { login, sending } = work;
  const db = ctx.ledger.db;
  const now = ctx.clock.now();
  const watch = await watchOf(db, login);
  if (!sending && !isDue(watch, now)) return 'on';
  const current = await latestAccepted(db, login);
  const { watch: every } = ctx.config.service.poll;
  if (current === undefined && !sending) {
    await updateWatch(db, login, dueIn(every, now));
    return 'on';
  }
  let records: Listed[];
  try {
    const known = current?.upload.offer_id ?? null;
    records = await listUntilKnown(ctx.offers(login), known === null ? [] : [known], work.signal);
  } catch (error) {
    work.signal.throwIfAborted();
    return lookFailed(work, current === undefined, error, ctx);
  }
  await credentialsTaken(login, 'offer/list', ctx);
  const soon = records.some(isUnfinished) ? Math.min(every, ctx.config.service.poll.max) : every;
  const looked = { looked_at: now, ...dueIn(soon, now), waits: 0, silent_since: null, note: null };
  await updateWatch(db, login, looked);
  await noteUnreachable({ login, state: 'submitted', silent_since: null, note: null }, ctx);
  if (current === undefined) return beforeFirst(work, records, ctx);
  return judge(work, records, current, ctx);
}

/** Nothing of ours was a success yet. An attempt that was given up and taken all the same is; anything else is the baseline. */
async function beforeFirst(work: Watching, records: Listed[], ctx: Context): Promise<Watched> {
  const attempts = await attemptsSince(ctx.ledger.db, work.login, ctx.clock.now() - REMEMBERED);
  const late = await findLate(work, records, attempts, ctx);
  return late === null ? takeOver(work, records, ctx) : settleLate(work, late, null, ctx);
}

/** An attempt that was given up, and that the list shows to have been taken. */
async function findLate(
  work: Watching,
  records: Listed[],
  attempts: KnownAttempt[],
  ctx: Context,
): Promise<Late | null> {
  const standing = standingOf(records, attempts);
  const unnamed = standing.live === 'foreign' ? await recogniseLate(work, standing.record, attempts, ctx) : null;
  const [late] = unnamed === null ? lateArrivals(records, attempts) : [unnamed];
  if (late === undefined) return null;
  return { ...late, isLive: standing.live !== 'nothing' && standing.record.id === late.record.id };
}

async function judge(work: Watching, records: Listed[], current: AcceptedUpload, ctx: Context): Promise<Watched> {
  const { login } = work;
  const db = ctx.ledger.db;
  const attempts = await attemptsSince(db, login, ctx.clock.now() - REMEMBERED);
  const known = attempts.some(({ id }) => id === current.upload.id)
    ? attempts
    : [...attempts, { ...current.upload, sha256: current.dataset.sha256 }];
  const late = await findLate(work, records, known, ctx);
  if (late !== null) return settleLate(work, late, current, ctx);
  const standing = standingOf(records, known);
  if (standing.live === 'ours' && standing.attempt.sha256 === current.dataset.sha256) {
    const now = ctx.clock.now();
    for (const kind of ['foreign-upload', 'late-arrival'] as const) {
      await recover(db, { kind, login, text: `what is live is ours again: upload ${standing.record.id}` }, now);
    }
    const proved = await verifyLate(work, current, ctx);
    return proved === 'on' ? reverify(work, current, ctx) : proved;
  }
  return meetForeignUpload(work, standing, current, ctx);
}

/** The list cannot be read: noted and asked again later. Before a login's first upload nothing goes on without it. */
async function lookFailed(work: Watching, first: boolean, error: unknown, ctx: Context): Promise<Watched> {
  if (!(error instanceof OfferlineError) || !error.code.startsWith('service-')) throw error;
  const { login } = work;
  const status = error.details['status'];
  if (typeof status === 'number' && isDenial({ status })) {
    await credentialsDenied(login, { status, text: error.message }, ctx);
    return 'again';
  }
  const { waits, silent_since } = await watchOf(ctx.ledger.db, login);
  const { initial, watch: longest, max } = ctx.config.service.poll;
  const window = Math.min(first ? max : longest, initial * 2 ** Math.min(waits, 30));
  const asked = typeof error.details['retryAfterMs'] === 'number' ? error.details['retryAfterMs'] : 0;
  const now = ctx.clock.now();
  const due = dueIn(Math.max(asked, initial / 2, Math.random() * window), now);
  const note = messageOf(error);
  await updateWatch(ctx.ledger.db, login, { ...due, note, waits: waits + 1, silent_since: silent_since ?? now });
  ctx.log.debug({ login, reason: note }, 'what is live cannot be looked at');
  if (first) return { waitUntil: due.next_at };
  await noteUnreachable({ login, state: 'submitted', silent_since: silent_since ?? now, note }, ctx);
  return 'on';
}
