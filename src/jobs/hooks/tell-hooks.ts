import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { endFailure, failingHooks } from '../../ledger/hooks/failures.ts';
import { dropMessages, hooksWithMessages } from '../../ledger/hooks/messages.ts';
import { handOutEvents } from './hand-out.ts';
import { endStopped, noteStopped } from './incident.ts';
import { alertsAreDue } from './send-alerts.ts';
import { sendMessages } from './send-messages.ts';

/** Tells hooks what has happened. */
export type HookTelling = {
  /** Hands out what happened and begins to send it. Does not wait for any hook. */
  tell: () => Promise<void>;
  /** Waits until nothing is being sent. */
  settled: () => Promise<void>;
};

/** Tells hooks beside other work: each is told by itself, so that one that hangs delays nobody. */
export function openTelling(ctx: Context, stop: AbortSignal): HookTelling {
  const sending = new Map<string, Promise<void>>();

  function begin(hook: string): void {
    const settings = ctx.config.hooks[hook];
    if (settings === undefined || sending.has(hook)) return;
    const sent = sendMessages(hook, settings, ctx, stop)
      .catch((error: unknown) => {
        if (!stop.aborted) ctx.log.warn({ hook, reason: messageOf(error) }, 'hook could not be told');
      })
      .finally(() => sending.delete(hook));
    sending.set(hook, sent);
  }

  return {
    tell: async () => {
      await handOutEvents(ctx);
      await forgetOthers(ctx);
      await endStopped(ctx);
      if (stop.aborted) return;
      const lasting = Object.keys(ctx.config.hooks).filter((hook) => alertsAreDue(hook, ctx));
      for (const hook of new Set([...(await hooksWithMessages(ctx.ledger.db)), ...lasting])) begin(hook);
    },
    settled: async () => {
      await Promise.all(sending.values());
    },
  };
}

/** Forgets what is left of hooks that are not configured any more. */
async function forgetOthers(ctx: Context): Promise<void> {
  const { db } = ctx.ledger;
  const failing = (await failingHooks(db)).map(({ hook }) => hook);
  const known = new Set([...(await hooksWithMessages(db)), ...failing]);
  for (const hook of known) {
    if (Object.hasOwn(ctx.config.hooks, hook)) continue;
    await ctx.ledger.transaction(async (trx) => {
      await dropMessages(trx, hook);
      await endFailure(trx, hook);
      await noteStopped(trx, ctx);
    });
  }
}
