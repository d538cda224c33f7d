import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { retryDenied } from '../../ledger/uploads/denials.ts';
import { updateWatch } from '../../ledger/uploads/watches.ts';
import { addPause, endPause, pauseOver, type Pausable } from '../../ledger/runs/pauses.ts';
import { moment } from '../../wording/words.ts';
import type { Decision } from './review.ts';

/**
 * Stops the schedules and uploads of a feed, or of a login with all its feeds. An upload that was sent already cannot be
 * called back and is followed to its end. Fails with `conflict` when it is already paused.
 */
export async function pause(what: Pausable, decision: Decision, ctx: Context): Promise<void> {
  const at = ctx.clock.now();
  await ctx.ledger.transaction(async (trx) => {
    if (!(await addPause(trx, { ...what, at, who: decision.who, reason: decision.reason }))) {
      throw new OfferlineError('conflict', `The ${what.kind} ${what.name} is already paused.`);
    }
    await recordDecision(trx, { at, action: 'pause', subject: `${what.kind} ${what.name}`, ...decision });
  });
}

/**
 * Ends a pause: a schedule that was missed is caught up once, what waits is uploaded. Credentials of the login that were refused
 * are tried once more, and what is live there is looked at at once. Fails with `conflict` when there is nothing to resume.
 */
export async function resume(what: Pausable, decision: Decision, ctx: Context): Promise<void> {
  const at = ctx.clock.now();
  await ctx.ledger.transaction(async (trx) => {
    const ended = await endPause(trx, what);
    const retried = what.kind === 'login' && (await retryDenied(trx, what.name));
    // Something may have become live meanwhile that was left as it was because of the pause.
    if (what.kind === 'login') await updateWatch(trx, what.name, { next_at: 0 });
    if (!ended && !retried) {
      throw new OfferlineError('conflict', `The ${what.kind} ${what.name} is not paused.`);
    }
    await recordDecision(trx, { at, action: 'resume', subject: `${what.kind} ${what.name}`, ...decision });
  });
}

/** Fails with `conflict` when the feed must not run now. */
export async function assertNotPaused(feed: string, login: string, ctx: Context): Promise<void> {
  const paused = await pauseOver(ctx.ledger.db, feed, login);
  if (paused === undefined) return;
  const since = moment(paused.at);
  throw new OfferlineError(
    'conflict',
    `The ${paused.kind} ${paused.name} has been paused since ${since} by ${paused.who}: ${paused.reason}. ` +
      `\`offerline resume ${paused.kind}:${paused.name} --reason TEXT\` continues it.`,
  );
}

/** The feed or login that a name means; `feed:NAME` and `login:NAME` distinguish them when both exist. */
export function pausable(text: string, ctx: Context): Pausable {
  const [, prefix, rest] = /^(feed|login):(.+)$/.exec(text) ?? [];
  const name = rest ?? text;
  const kinds = (['feed', 'login'] as const).filter(
    (kind) => Object.hasOwn(ctx.config[`${kind}s`], name) && (prefix ?? kind) === kind,
  );
  const [kind, other] = kinds;
  if (kind === undefined) {
    const sought = (['login', 'feed'] as const).filter((one) => (prefix ?? one) === one);
    const known = sought.flatMap((one) => Object.keys(ctx.config[`${one}s`])).join(', ');
    throw new OfferlineError('not-found', `There is no ${sought.join(' or ')} "${name}". Known: ${known}.`);
  }
  if (other !== undefined) {
    throw new OfferlineError('usage', `"${name}" is a login and a feed; say login:${name} or feed:${name}.`);
  }
  return { kind, name };
}
