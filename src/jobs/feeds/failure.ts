import type { Context } from '../../context.ts';
import { isDiskFull, messageOf, OfferlineError, retryAfterMs } from '../../errors.ts';
import { raise } from '../../ledger/alerts/incidents.ts';
import { addEvent, closeRun, decideRun, updateRun, type UndatedDecision } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Causes } from '../../model.ts';
import { sourceRetryDelay } from '../../pull/retry.ts';
import { verdictOnError } from '../read/verdict.ts';
import { isDenial } from './source-denial.ts';

/** Tries of one stage before the run fails. */
export const MAX_TRIES = 3;

/**
 * What becomes of a run whose stage threw: tried again later when that may help (the time is returned), else failed with
 * the reason (null). A fault of ours is logged with its stack; a user's or a supplier's mistake is not.
 */
export async function afterFailure(run: RunRow, error: unknown, ctx: Context): Promise<number | null> {
  const known = error instanceof OfferlineError;
  const full = isDiskFull(error) || (known && error.code === 'disk-full');
  const retryable = known ? error.retryable : !full;
  const facts = { run: run.id, feed: run.feed, stage: run.stage, tries: run.tries + 1 };
  if (known) ctx.log.info({ ...facts, code: error.code, reason: error.message }, 'stage failed');
  else ctx.log.error({ ...facts, err: error }, 'stage failed unexpectedly');

  const now = ctx.clock.now();
  if (retryable && run.tries + 1 < MAX_TRIES) {
    await updateRun(ctx.ledger.db, run.id, { tries: run.tries + 1 });
    const message = `failed, will be tried again: ${messageOf(error)}`;
    await addEvent(ctx.ledger.db, run.id, { at: now, stage: run.stage, message });
    const asked = retryAfterMs(error) ?? 0;
    if (run.stage === 'pull') return now + sourceRetryDelay(run.tries, asked);
    const { initial, max } = ctx.config.service.poll;
    return now + Math.max(Math.min(asked, max), Math.min(max, initial * 2 ** run.tries));
  }
  if (run.stage === 'report') {
    await giveReportUp(run, messageOf(error), ctx);
    return null;
  }
  await decideRun(ctx.ledger.db, run.id, { ...ended(run, error, full), now });
  return null;
}

/** What an error says beside its sentence, for people who read other languages. */
export function knownOf(error: unknown): { why?: { refusal: string } | { limit: string; most: number } } {
  const details: Record<string, unknown> = error instanceof OfferlineError ? error.details : {};
  const { code, limit, most } = details;
  if (typeof limit === 'string' && typeof most === 'number') return { why: { limit, most } };
  return typeof code === 'string' ? { why: { refusal: code } } : {};
}

/** A failure as the reason of a run, after so many tries. */
export function reasonOf(error: unknown, tries: number) {
  const fault = !(error instanceof OfferlineError);
  return {
    code: 'failed',
    said: messageOf(error),
    fault,
    diskFull: isDiskFull(error),
    tries,
    ...knownOf(error),
  } as const;
}

/** The outcome stands; only its report could not be written, or its mails not be made, which is an incident of the feed. */
export async function giveReportUp(run: RunRow, why: string, ctx: Context): Promise<void> {
  const reason = why.replace(/\.$/, '');
  const now = ctx.clock.now();
  const { id, feed, login } = run;
  ctx.log.warn({ run: id, feed, reason }, 'report given up');
  await ctx.ledger.transaction(async (trx) => {
    await closeRun(trx, run);
    const message = `no report: ${reason}; try again with \`offerline rerun ${id} --from report\``;
    await addEvent(trx, id, { at: now, stage: 'report', message });
    await raise(
      trx,
      { kind: 'fault', login, feed, run: id, reason: { code: 'no-report', run: id, said: reason } },
      now,
    );
  });
}

function ended(run: RunRow, error: unknown, full: boolean): UndatedDecision {
  const reason = reasonOf(error, run.tries + 1);
  const verdict = verdictOnError(error);
  if (verdict !== null) return { ...verdict, reason };
  return { outcome: 'failed', cause: full ? 'disk-full' : failureOf(run, error), reason };
}

function failureOf({ stage }: RunRow, error: unknown): Causes['failed'] {
  if (error instanceof OfferlineError && error.code === 'pull-failed') return pullFailure(error);
  return stage === 'compose' ? 'compose-failed' : 'fault';
}

/** What kept a source from giving its file: it could not be reached, or it was and did not. */
function pullFailure(error: OfferlineError): Causes['failed'] {
  if (isDenial(error)) return 'source-credentials';
  return error.retryable ? 'source-unreachable' : 'source-refused';
}
