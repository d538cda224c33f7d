import type { Context } from '../../../src/context.ts';
import { openTelling } from '../../../src/jobs/hooks/tell-hooks.ts';
import { raise, recover } from '../../../src/ledger/alerts/incidents.ts';
import { HOOK_SECRET, type Receiver } from '../../support/hook-receiver.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { saying } from '../../support/reasons.ts';
import { contextFor } from '../../upload/upload-world.ts';

export const START = Date.UTC(2026, 4, 4, 6, 30, 0);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** Whoever tests and replays. */
export const BY = { who: 'jo', via: 'cli', origin: 'shop' } as const;

/** An installation whose clock the test sets, with hooks to receivers on this machine. */
export async function hookWorld(hooks: Record<string, object>, written: object = {}) {
  const opened = await contextFor('http://127.0.0.1:9', { ...written, hooks });
  const time = { now: START };
  const { log, entries } = memoryLog();
  const ctx: Context = { ...opened, log, clock: { ...opened.clock, now: () => time.now } };
  return { ctx, time, entries };
}

/** The settings of a hook to a receiver. */
export function hookTo({ url }: Pick<Receiver, 'url'>, more: object = {}) {
  return { url, secret: HOOK_SECRET, allowHosts: ['127.0.0.1'], timeout: '5s', ...more };
}

/** Tells hooks what there is, as a worker does, and waits until nothing is being sent. */
export async function tell(ctx: Context): Promise<void> {
  const telling = openTelling(ctx, new AbortController().signal);
  await telling.tell();
  await telling.settled();
}

/** Something is wrong with the login. */
export async function goWrong(ctx: Context, said = 'answered 401'): Promise<void> {
  await raise(ctx.ledger.db, { kind: 'credentials', login: 'main', reason: saying(said) }, ctx.clock.now());
}

/** It is right again. */
export async function goRight(ctx: Context): Promise<void> {
  await recover(ctx.ledger.db, { kind: 'credentials', login: 'main', text: 'accepted again' }, ctx.clock.now());
}

/** What a receiver was told, in order. */
export function typesOf({ received }: Pick<Receiver, 'received'>): string[] {
  return received.map(({ payload }) => payload.type);
}
