import type { HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import type { Context } from '../../context.ts';
import { endFailure } from '../../ledger/hooks/failures.ts';
import { replayMessages } from '../../ledger/hooks/messages.ts';
import { randomCode } from '../../ledger/ids.ts';
import { postMessage, whyWithAnswer } from '../../notify/hooks/post.ts';
import type { Payload } from '../../notify/hooks/payload.ts';
import { noteStopped } from './incident.ts';
import { writeBody } from './render.ts';

/** What became of a message that tries a hook. */
export type Tested = { hook: string; taken: boolean; status: number | null; error: string | null };

/** Sends a hook of the configuration a message that says only that it is a test. One that takes it is tried again at once with what waits. */
export async function testHook(hook: string, ctx: Context, signal: AbortSignal): Promise<Tested> {
  const now = ctx.clock.now();
  const payload: Payload<'hook.test'> = {
    type: 'hook.test',
    timestamp: new Date(now).toISOString(),
    sandbox: ctx.sandbox,
    data: { hook },
  };
  const settings = ctx.config.hooks[hook] as HookConfig;
  const body = (await writeBody(JSON.stringify(payload), settings, ctx)) ?? '';
  const message = { id: `evt_${randomCode(26)}`, body };
  const outcome = await postMessage(settings, message, { now, signal });
  if (!outcome.taken) return { hook, taken: false, status: null, error: whyWithAnswer(outcome) };
  await beginAnew(hook, ctx);
  return { hook, taken: true, status: outcome.status, error: null };
}

/** Has a hook's messages sent again that were given up, or one by its id; answers how many. */
export async function replayHook(hook: string, id: string | null, ctx: Context): Promise<number> {
  const count = await replayMessages(ctx.ledger.db, hook, id, ctx.clock.now());
  if (count > 0) await beginAnew(hook, ctx);
  return count;
}

/** Nothing that a hook failed with before keeps it from being tried. */
async function beginAnew(hook: string, ctx: Context): Promise<void> {
  await ctx.ledger.transaction(async (trx) => {
    await endFailure(trx, hook);
    await noteStopped(trx, ctx);
  });
}
