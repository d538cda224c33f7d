import type { Context } from '../context.ts';
import type { GoodUpload } from '../ledger/good-uploads.ts';
import { openIncident } from '../ledger/incidents.ts';
import { watchOf } from '../ledger/watches.ts';

/** What speaks against what was proved last being live: a newer upload without proof, somebody else's, one that failed. */
export async function doubtOf(login: string, live: GoodUpload | undefined, ctx: Context): Promise<string | null> {
  const foreign = await openIncident(ctx.ledger.db, { kind: 'foreign-upload', login });
  if (foreign !== undefined) return foreign.text;
  if (live !== undefined && live.intent.result !== 'met') {
    return `upload ${live.upload.offer_id} was accepted and not proved`;
  }
  const { unverified } = await watchOf(ctx.ledger.db, login);
  return unverified === null
    ? null
    : `the service failed upload ${unverified}, and what it serves since is not proved yet`;
}

/** A doubt, and what was live of a part before; `winner`: the feed that it was live from. */
export function uncertain(doubt: string, proved: GoodUpload | undefined, winner: string | null): string {
  if (proved === undefined) return `${doubt}; no upload was proved before`;
  const before = winner === null ? 'it is not live' : `it is live from ${winner}`;
  return `${doubt}; in upload ${proved.upload.offer_id}, the last one proved, ${before}`;
}
