import type { Context } from '../../context.ts';
import { listIncidents } from '../../ledger/alerts/incidents.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import { suspicionOf } from '../feeds/deaths.ts';
import { nextDataset } from '../feeds/what-to-compose.ts';
import { standingDenial } from '../logins/denial.ts';
import { gatherWatchFacts } from '../watch/gather-facts.ts';
import type { IdleFacts, LaneFacts } from './lane-facts.ts';

/** Gathers what the ledger knows of a login. Call it under the login's lease, so that its uploads do not change meanwhile. */
export async function gatherFacts(login: string, ctx: Context): Promise<LaneFacts> {
  const denial = await standingDenial(login, ctx);
  const intent = denial === null ? ((await openIntent(ctx.ledger.db, login)) ?? null) : null;
  const idle = denial === null && intent === null ? await gatherIdle(login, ctx) : null;
  return { login, denial, intent, idle, wait: null };
}

async function gatherIdle(login: string, ctx: Context): Promise<IdleFacts> {
  const next = await nextDataset(login, ctx);
  const now = ctx.clock.now();
  const sending = next.pending.length > 0 && next.due <= now;
  return {
    now,
    damaged: (await listIncidents(ctx.ledger.db, { login, kind: 'damaged-archive' })).length > 0,
    next,
    suspicion: await suspicionOf(next.pending, 'compose', ctx),
    watch: await gatherWatchFacts(login, { pending: next.pending, sending }, ctx),
  };
}
