import type { HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import type { Context } from '../../context.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { endFailure } from '../../ledger/hooks/failures.ts';
import { replayMessages } from '../../ledger/hooks/messages.ts';
import { randomCode } from '../../ledger/ids.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { AuditRow } from '../../ledger/schema/schema.ts';
import { postMessage, whyWithAnswer } from '../../notify/hooks/post.ts';
import type { Payload } from '../../notify/hooks/payload.ts';
import { counted } from '../../wording/words.ts';
import { subjectOfHook } from './concerns.ts';
import { noteStopped } from './incident.ts';
import { writeBody } from './render.ts';

/** Who tests and replays. */
type By = Pick<AuditRow, 'who' | 'via' | 'origin'>;

/** What became of a message that tries a hook. */
export type Tested = { hook: string; taken: boolean; status: number | null; error: string | null };

/**
 * Sends a hook of the configuration a message that says only that it is a test, and notes in the audit who did. One that takes it is tried again
 * at once with what waits.
 */
export async function testHook(hook: string, by: By, ctx: Context, signal: AbortSignal): Promise<Tested> {
  const now = ctx.clock.now();
  const payload: Payload<'hook.test'> = {
    type: 'hook.test',
    timestamp: new Date(now).toISOString(),
    seq: null,
    sandbox: ctx.sandbox,
    data: { hook },
  };
  const settings = ctx.config.hooks[hook] as HookConfig;
  const body = (await writeBody(JSON.stringify(payload), settings, ctx)) ?? '';
  const message = { id: `evt_${randomCode(26)}`, body };
  const outcome = await postMessage(settings, message, { now, signal, mayStill: () => true });
  // What the receiver says is for the answer of the command only.
  const reason = outcome.taken ? `taken: it answered ${outcome.status}` : `not taken: it ${outcome.why}`;
  await ctx.ledger.transaction(async (trx) => {
    await recordDecision(trx, { at: now, action: 'test-hook', subject: subjectOfHook(hook), reason, ...by });
    if (outcome.taken) await beginAnew(trx, hook, ctx);
  });
  if (outcome.taken) return { hook, taken: true, status: outcome.status, error: null };
  return { hook, taken: false, status: null, error: whyWithAnswer(outcome) };
}

/** Has a hook's messages sent again that were given up, or one by its id, and notes in the audit who did; answers how many. */
export async function replayHook(hook: string, id: string | null, by: By, ctx: Context): Promise<number> {
  const at = ctx.clock.now();
  return ctx.ledger.transaction(async (trx) => {
    const count = await replayMessages(trx, hook, id, at);
    if (count === 0) return 0;
    const reason = id === null ? counted(count, 'message') : `message ${id}`;
    await recordDecision(trx, { at, action: 'replay-hook', subject: subjectOfHook(hook), reason, ...by });
    await beginAnew(trx, hook, ctx);
    return count;
  });
}

/** Nothing that a hook failed with before keeps it from being tried. */
async function beginAnew(trx: Db, hook: string, ctx: Context): Promise<void> {
  await endFailure(trx, hook);
  await noteStopped(trx, ctx);
}
