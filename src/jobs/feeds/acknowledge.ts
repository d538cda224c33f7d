import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { addEvent } from '../../ledger/runs/runs.ts';
import { noteAcknowledged, openAcknowledgements } from '../../ledger/runs/taken-files.ts';
import type { RunRow, TakenFileRow } from '../../ledger/schema/schema.ts';
import type { Acknowledged } from '../../pull/acknowledge-directory.ts';
import { acknowledge } from '../../pull/acknowledge.ts';
import { cleanName } from '../../pull/source.ts';
import { isFolder, placeOfFeed } from './place-of-feed.ts';

/** Failed tries of one file after which people are told. */
const TOLD_AFTER = 3;

/**
 * Moves or deletes at the supplier's what was taken from there, one file after the other: an effect of its own, after archive
 * and ledger have the bytes. What fails is tried again at the feed's next pull, and never fails the run. Nothing is touched
 * for the sandbox, whose uploads are no delivery, and nothing whose bytes the archive has not whole.
 */
export async function acknowledgeTaken(run: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  const source = ctx.config.feeds[run.feed]?.source;
  if (source === undefined || !isFolder(source) || source.after === 'keep' || ctx.sandbox) return;
  const { db } = ctx.ledger;
  for (const file of await openAcknowledgements(db, placeOfFeed(run.feed, source))) {
    if (file.sha256 === null || (await ctx.archive.verify(file.sha256)) !== 'ok') continue;
    try {
      await record(run, file, await acknowledge(source, file.listed, signal), source.after, ctx);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OfferlineError) || error.code !== 'pull-failed') throw error;
      await failed(run, file, messageOf(error), ctx);
      return;
    }
  }
}

async function record(
  run: RunRow,
  file: TakenFileRow,
  became: Acknowledged,
  after: 'move' | 'delete',
  ctx: Context,
): Promise<void> {
  const name = cleanName(file.listed.name);
  const told = {
    done: `${name} was ${after === 'delete' ? 'deleted' : 'moved'} at the supplier's`,
    changed: `${name} was changed at the supplier's since it was taken, and stays there`,
    gone: `${name} is no longer at the supplier's`,
  };
  const now = ctx.clock.now();
  const { feed, login } = run;
  await ctx.ledger.transaction(async (trx) => {
    await noteAcknowledged(trx, file, became, now);
    await addEvent(trx, run.id, { at: now, stage: 'pull', message: told[became] });
    await recover(trx, { kind: 'not-removed', login, feed, text: told[became] }, now);
  });
}

async function failed(run: RunRow, file: TakenFileRow, said: string, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { feed, login } = run;
  const name = cleanName(file.listed.name);
  const message = `not moved or deleted at the supplier's, will be tried again at the next pull: ${said}`;
  await ctx.ledger.transaction(async (trx) => {
    await noteAcknowledged(trx, file, 'open', now);
    await addEvent(trx, run.id, { at: now, stage: 'pull', message });
    if (file.tries + 1 < TOLD_AFTER) return;
    await raise(trx, { kind: 'not-removed', login, feed, reason: { code: 'not-removed', file: name, said } }, now);
  });
}
