import type { Context } from '../../context.ts';
import { referencesTo } from '../../ledger/maintenance/references.ts';
import { noteDamage, noteMended } from './incident.ts';
import { rebuild } from './rebuild.ts';

const NEVER = new AbortController().signal;

/**
 * Whether a file of the archive can be used: it is whole, or could be made again from what it was made of. What cannot is set
 * aside, so that the next reader finds nothing there, and an incident names it when what is live needs it. Every reader that can
 * do without a file asks this first, and verifies it once more while reading.
 */
export async function usable(sha256: string, ctx: Context, signal: AbortSignal = NEVER): Promise<boolean> {
  if ((await ctx.archive.verify(sha256)) === 'ok') return true;
  // What a rehearsal left behind is not lost.
  if (ctx.partialArchive === true) return false;
  return mend(sha256, ctx, signal);
}

/** Makes a damaged or missing file again, and answers whether that worked. Only what the ledger names is made again. */
export async function mend(sha256: string, ctx: Context, signal: AbortSignal): Promise<boolean> {
  const damage = await ctx.archive.verify(sha256);
  if (damage === 'ok') return true;
  const references = await referencesTo(ctx.ledger.db, sha256);
  if (await rebuild(sha256, references, new Set(), ctx, signal)) {
    ctx.log.warn({ sha256, damage }, 'archived file was mended');
    await noteMended(references, ctx);
    return true;
  }
  await ctx.archive.setAside(sha256);
  if (references.length > 0) ctx.log.error({ sha256, damage, references: references.length }, 'archived file is lost');
  await noteDamage(references, damage, ctx);
  return false;
}
