import type { Context } from '../../context.ts';
import { isLeaseLost, messageOf } from '../../errors.ts';
import { endFailure, failingHooks } from '../../ledger/hooks/failures.ts';
import { giveUpMessages, hooksWithMessages } from '../../ledger/hooks/messages.ts';
import { handOutEvents } from './hand-out.ts';
import { endStopped } from './incident.ts';
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
        if (!stop.aborted && !isLeaseLost(error))
          ctx.log.warn({ hook, reason: messageOf(error) }, 'hook could not be told');
      })
      .finally(() => sending.delete(hook));
    sending.set(hook, sent);
  }

  return {
    tell: async () => {
      await handOutEvents(ctx);
      await giveUpOthers(ctx);
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

const DAY_MS = 86_400_000;

/**
 * Gives up what a hook was to be told that is not configured here and that nobody has told for a day: another machine may have a newer
 * configuration, or this one.
 */
async function giveUpOthers(ctx: Context): Promise<void> {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  const before = now - DAY_MS;
  const failing = await failingHooks(db);
  const known = new Set([...(await hooksWithMessages(db)), ...failing.map(({ hook }) => hook)]);
  for (const hook of known) {
    if (Object.hasOwn(ctx.config.hooks, hook)) continue;
    const failure = failing.find((one) => one.hook === hook);
    await ctx.ledger.transaction(async (trx) => {
      const lost = await giveUpMessages(trx, hook, { before, error: NOT_CONFIGURED, now });
      if (lost > 0) ctx.log.warn({ hook, messages: lost }, 'messages of a hook that is not configured were given up');
      if (failure !== undefined && failure.next_at <= before) await endFailure(trx, hook);
    });
  }
}

const NOT_CONFIGURED = 'the hook is not configured any more';
