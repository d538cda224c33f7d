import type { HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import type { Context } from '../../context.ts';
import { listIncidents } from '../../ledger/alerts/incidents.ts';
import { randomCode } from '../../ledger/ids.ts';
import { alertOf } from '../../notify/hooks/alertmanager.ts';
import { postMessage, whyWithAnswer } from '../../notify/hooks/post.ts';
import { isToldOf } from './concerns.ts';
import { openIncidentData } from './payload-of.ts';

/** How often an Alertmanager is told what is still wrong, in milliseconds: it forgets what it is not told again, and everything when it starts. */
const EVERY = 180_000;

/** When each hook was told last, by the monotonic clock of a process. */
const told = new WeakMap<Context['ledger'], Map<string, number>>();

/** Whether a hook is an Alertmanager that is to be told again what is still wrong. */
export function alertsAreDue(hook: string, { config, ledger, clock }: Context): boolean {
  if (config.hooks[hook]?.format !== 'alertmanager') return false;
  const last = told.get(ledger)?.get(hook);
  return last === undefined || clock.monotonic() - last >= EVERY;
}

/** What ends the sending, and whether the sender still may. */
type Sending = { signal: AbortSignal; mayStill: () => boolean };

/** Tells an Alertmanager again what is still wrong. What goes wrong with that is found out by the next message, and done again. */
export async function sendAlerts(hook: string, settings: HookConfig, ctx: Context, sending: Sending): Promise<void> {
  if (!alertsAreDue(hook, ctx)) return;
  const times = told.get(ctx.ledger) ?? new Map<string, number>();
  told.set(ctx.ledger, times.set(hook, ctx.clock.monotonic()));
  const now = ctx.clock.now();
  const open = (await listIncidents(ctx.ledger.db)).map((row) => openIncidentData(row, ctx));
  const alerts = open.filter((one) => isToldOf(hook, settings, one)).map(({ data }) => alertOf(data, now));
  if (alerts.length === 0) return;
  const message = { id: `evt_${randomCode(26)}`, body: JSON.stringify(alerts) };
  const outcome = await postMessage(settings, message, { now, ...sending });
  if (!outcome.taken) ctx.log.debug({ hook, reason: whyWithAnswer(outcome) }, 'open incidents were not told again');
}
