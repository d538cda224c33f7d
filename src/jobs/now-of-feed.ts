import type { Context } from '../context.ts';
import { lastProved, liveUpload, type GoodUpload } from '../ledger/good-uploads.ts';
import type { DatasetPart } from '../ledger/schema.ts';
import { openUpload } from '../ledger/uploads.ts';
import type { Now, Proved, RowCounts } from '../model.ts';
import { doubtOf } from './doubt.ts';

/** What is live of a feed now, by the newest proved upload of its login; nothing is claimed while something is in doubt. */
export async function nowOfFeed(feed: string, login: string, ctx: Context): Promise<Now> {
  const { db } = ctx.ledger;
  const good = await lastProved(db, login);
  const proved = good === undefined ? null : provedOf(feed, good);
  const doubt = (await underWay(login, ctx)) ?? (await doubtOf(login, await liveUpload(db, login), ctx));
  if (doubt !== null) return { live: null, rejectedRemotely: null, since: null, upload: null, doubt, proved };
  return { live: 0, rejectedRemotely: 0, since: null, upload: null, ...proved, doubt };
}

/** An upload that may have reached the service and is not finished there. */
async function underWay(login: string, ctx: Context): Promise<string | null> {
  const open = await openUpload(ctx.ledger.db, login);
  if (open === undefined || open.state === 'intended') return null;
  return `upload ${open.offer_id ?? open.token} is not finished`;
}

/** Null when the dataset has nothing of the feed. */
function provedOf(feed: string, { intent, dataset, upload }: GoodUpload): Proved | null {
  const accounts = JSON.parse(intent.accounts ?? '{}') as Record<string, RowCounts>;
  const part = (JSON.parse(dataset.parts) as DatasetPart[]).find((candidate) => candidate.feed === feed);
  if (part === undefined) return null;
  const account = accounts[feed];
  return {
    live: account?.live ?? part.rows,
    rejectedRemotely: account?.rejectedRemotely ?? 0,
    since: new Date(upload.closed_at ?? intent.created_at).toISOString(),
    upload: upload.offer_id,
  };
}
