import type { Context } from '../../context.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import { accountsIn } from '../../ledger/schema/schema.ts';
import { usable } from '../archive/usable.ts';

/** The rows of a feed that the service rejects in an upload: a file of the archive, none, or unknown. */
export type StandingRejections = { sha256: string | null } | 'unknown';

/** What a proved upload says of a feed's rejected rows, whether or not it delivered anything in it. */
export async function standingRejections(
  feed: string,
  { intent, dataset }: AcceptedUpload,
  ctx: Context,
): Promise<StandingRejections> {
  const part = dataset.parts.find((one) => one.feed === feed);
  if (part === undefined) return { sha256: null };
  const account = accountsIn(intent)?.get(feed);
  if (account?.rejections !== undefined) return kept(account.rejections?.sha256 ?? null, ctx);
  if (account !== undefined && account.rejectedRemotely + account.unexplained === 0) return { sha256: null };
  // An earlier version kept those of the files that were delivered in it.
  const run = await getRun(ctx.ledger.db, part.run);
  return run.intent === intent.id ? kept(run.rejections_sha, ctx) : 'unknown';
}

async function kept(sha256: string | null, ctx: Context): Promise<StandingRejections> {
  return sha256 === null || (await usable(sha256, ctx)) ? { sha256 } : 'unknown';
}
