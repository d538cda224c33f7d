import { eventsOf } from '../../config/schema/hooks/hook-schema.ts';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { takeEvent, waitingEvents } from '../../ledger/hooks/events.ts';
import { queueMessage } from '../../ledger/hooks/messages.ts';
import type { HookEventRow } from '../../ledger/schema/schema.ts';
import { toldTo } from './concerns.ts';
import { payloadOf, type ToldEvent } from './payload-of.ts';

const AT_ONCE = 100;

/**
 * Makes messages of the events that wait, one for each hook that is to be told, and forgets the events. Any number of workers may do so at
 * once: each event is taken by one of them, and none passes by an earlier one about the same.
 */
export async function handOutEvents(ctx: Context): Promise<void> {
  for (;;) {
    const events = await waitingEvents(ctx.ledger.db, AT_ONCE);
    for (const event of events) await handOut(event, ctx);
    if (events.length < AT_ONCE) return;
  }
}

async function handOut(event: HookEventRow, ctx: Context): Promise<void> {
  const hooks = Object.entries(ctx.config.hooks).filter(([, hook]) => eventsOf(hook).includes(event.event));
  const told = hooks.length === 0 ? null : await readable(event, ctx);
  const { id, subject, seq, at } = event;
  await ctx.ledger.transaction(async (trx) => {
    if (!(await takeEvent(trx, id)) || told === null) return;
    for (const [hook, settings] of hooks) {
      const payload = toldTo(hook, settings, told);
      if (payload === null) continue;
      await queueMessage(trx, { hook, id, event: event.event, subject, seq, at, body: JSON.stringify(payload) });
    }
  });
}

/** What is told of an event; null of one that cannot be told, such as of a damaged row, so that the others are. */
async function readable(event: HookEventRow, ctx: Context): Promise<ToldEvent | null> {
  try {
    return await payloadOf(event, ctx);
  } catch (error) {
    if (error instanceof OfferlineError && error.retryable) throw error;
    ctx.log.warn({ event: event.id, reason: messageOf(error) }, 'event cannot be told to hooks');
    return null;
  }
}
