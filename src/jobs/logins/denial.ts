import type { Context } from '../../context.ts';
import { denialOf, endDenial, recordDenial } from '../../ledger/uploads/denials.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { decideRun, runsOfLane } from '../../ledger/runs/runs.ts';
import type { DenialRow } from '../../ledger/schema/watch-schema.ts';
import { fingerprintOf } from '../../service/fingerprint.ts';
import type { Refusal } from '../../upload/protocol/attempt.ts';
import { runSentence } from '../../wording/reasons/run-reasons.ts';

/**
 * The denial that keeps a login from asking the service anything; null when nothing was refused, when the configuration has
 * other credentials now, and when someone said to try again.
 */
export async function standingDenial(login: string, ctx: Context): Promise<DenialRow | null> {
  const denial = await denialOf(ctx.ledger.db, login);
  return denial === undefined || !(await stillDenies(denial, ctx)) ? null : denial;
}

/** Whether a denial keeps its login from asking, see `standingDenial`. */
export async function stillDenies({ login, retry, fingerprint: refused }: DenialRow, ctx: Context): Promise<boolean> {
  return retry !== 1 && refused === (await fingerprint(login, ctx));
}

/** The service refused the login's credentials: it is asked nothing more until they are proved. One incident. */
export async function credentialsDenied(login: string, refusal: Refusal, ctx: Context): Promise<void> {
  const { text, operation = 'offer/list' } = refusal;
  const at = ctx.clock.now();
  const mark = await fingerprint(login, ctx);
  await ctx.ledger.transaction(async (trx) => {
    await recordDenial(trx, { login, at, operation, text, fingerprint: mark });
    await raise(
      trx,
      { kind: 'credentials', login, reason: { code: 'credentials-refused', said: text }, numbers: { operation } },
      at,
    );
  });
}

/**
 * The service took the login's credentials. A refusal to upload is about a right that no other operation shows: only an
 * accepted upload ends it.
 */
export async function credentialsTaken(login: string, operation: string, ctx: Context): Promise<void> {
  const denial = await denialOf(ctx.ledger.db, login);
  if (denial === undefined || (denial.operation === UPLOADING && operation !== UPLOADING)) return;
  const now = ctx.clock.now();
  await ctx.ledger.transaction(async (trx) => {
    if (!(await endDenial(trx, login))) return;
    await recover(trx, { kind: 'credentials', login, text: `the service accepts the credentials again` }, now);
  });
}

/** The operation that needs a right of its own. */
export const UPLOADING = 'offer/process';

/** Answers every run that waits for the login: nothing of it is sent before the credentials are proved. */
export async function answerDenied(login: string, denial: DenialRow, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (const run of await runsOfLane(ctx.ledger.db, login)) {
    if (run.outcome !== null) continue;
    await decideRun(ctx.ledger.db, run.id, {
      outcome: 'failed',
      cause: 'credentials',
      reason: deniedReason(denial),
      now,
    });
  }
}

/** What a denial means for those who are waiting. */
export function deniedText(denial: Pick<DenialRow, 'login' | 'text' | 'at'>): string {
  return runSentence(deniedReason(denial));
}

function deniedReason({ login, text, at }: Pick<DenialRow, 'login' | 'text' | 'at'>) {
  return { code: 'credentials-refused', login, said: text, at } as const;
}

function fingerprint(login: string, ctx: Context): Promise<string> {
  return fingerprintOf(ctx.config.logins[login]?.auth ?? { type: 'none' }, ctx.ledger.id);
}
