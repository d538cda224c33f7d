import type { SourceConfig } from '../../config/schema/source-schema.ts';
import type { Context } from '../../context.ts';
import { statusOf } from '../../errors.ts';
import { endSourceDenial, noteSourceDenial, sourceDenialOf } from '../../ledger/runs/source-denials.ts';
import type { SourceDenialRow } from '../../ledger/schema/schema.ts';
import { markOf } from '../../service/fingerprint.ts';

/** Refused tries after which a source is only asked now and then: many servers lock an account after five. */
const TRIES_UNTIL_REST = 3;

/** Between two tries of credentials that were refused, in milliseconds. */
export const REST = 3_600_000;

/** Whether a source answered that it does not let us in: the credentials are wrong, may not do this, or a proxy wants others. */
export function isDenial(error: unknown): boolean {
  return [401, 403, 407].includes(statusOf(error) ?? 0);
}

/** Records that a feed's source refused the credentials that are configured now. */
export async function sourceDenied(feed: string, ctx: Context): Promise<void> {
  const source = ctx.config.feeds[feed]?.source;
  if (source === undefined) return;
  await noteSourceDenial(ctx.ledger.db, feed, await credentialsMark(source, ctx), ctx.clock.now());
}

/** A feed's source was reached with its credentials. */
export async function sourceTaken(feed: string, ctx: Context): Promise<void> {
  // Hardly ever is there anything to write.
  if ((await sourceDenialOf(ctx.ledger.db, feed)) !== undefined) await endSourceDenial(ctx.ledger.db, feed);
}

/**
 * The refusal because of which the schedule leaves a feed's source alone for now, so that the supplier's server locks no
 * account; null when it may be asked: after an hour, with other credentials, and by a person at any time.
 */
export async function restingSource(feed: string, ctx: Context): Promise<SourceDenialRow | null> {
  if (ctx.config.feeds[feed] === undefined) return null;
  const denial = await sourceDenialOf(ctx.ledger.db, feed);
  return denial === undefined || !(await restsAfter(denial, ctx)) ? null : denial;
}

/** Whether the schedule leaves a source alone because of a refusal, see `restingSource`. */
export async function restsAfter({ feed, tries, at, fingerprint }: SourceDenialRow, ctx: Context): Promise<boolean> {
  const source = ctx.config.feeds[feed]?.source;
  if (source === undefined || tries < TRIES_UNTIL_REST) return false;
  const since = ctx.clock.now() - at;
  // A time that lies ahead comes from a clock that was set back since.
  if (since < 0 || since >= REST) return false;
  return fingerprint === (await credentialsMark(source, ctx));
}

/** Distinguishes the credentials of a source, and where they are sent. */
function credentialsMark(source: SourceConfig, ctx: Context): Promise<string> {
  return markOf(source, ctx.ledger.id);
}
