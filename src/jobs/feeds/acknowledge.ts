import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { addEvent } from '../../ledger/runs/runs.ts';
import { noteAcknowledged, openAcknowledgements } from '../../ledger/runs/taken-files.ts';
import type { RunRow, TakenFileRow } from '../../ledger/schema/schema.ts';
import type { Acknowledged } from '../../pull/acknowledge-directory.ts';
import { acknowledge, type Waiting } from '../../pull/acknowledge.ts';
import { staysAt } from '../../pull/several/wanted.ts';
import { cleanName } from '../../pull/source.ts';
import { isFolder, placeOfFeed } from './place-of-feed.ts';
import { isHere } from '../workers/who-reaches.ts';
import { sharersOf } from './sharers.ts';

/** Failed tries of one file after which people are told. */
const TOLD_AFTER = 3;

/**
 * Moves or deletes at the supplier's what was taken from there, one file after the other: an effect of its own, after archive
 * and ledger have the bytes. What fails is tried again at the feed's next pull, and never fails the run. Nothing is touched
 * for the sandbox, whose uploads are no delivery, nothing whose bytes the archive has not whole, and nothing that another feed of
 * the place has yet to take.
 */
export async function acknowledgeTaken(run: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  const source = ctx.config.feeds[run.feed]?.source;
  if (source === undefined || !isFolder(source) || source.after === 'keep' || ctx.sandbox) return;
  const { db } = ctx.ledger;
  const sharers = sharersOf(source, ctx);
  const open = await openAcknowledgements(db, placeOfFeed(run.feed, source));
  // A worker that reaches the place does it at the feed's next pull.
  if (open.length === 0 || !(await isHere(source, ctx))) return;
  for (const file of open) {
    if (file.sha256 === null || (await ctx.archive.verify(file.sha256)) !== 'ok') continue;
    try {
      const became = await acknowledge(source, file.listed, signal, sharers);
      if (typeof became === 'string') await record(run, file, became, source.after, ctx);
      else await wait(run, file, became, ctx);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OfferlineError) || error.code !== 'pull-failed') throw error;
      await failed(run, file, messageOf(error), ctx);
      return;
    }
  }
}

async function wait(run: RunRow, file: TakenFileRow, needed: Waiting, ctx: Context): Promise<void> {
  const [name, other] = [cleanName(file.listed.name), cleanName(needed.file.name)];
  const source = ctx.config.feeds[needed.feed]?.source;
  const isKept = source !== undefined && isFolder(source) && staysAt(source, needed.file.name);
  const until = isKept
    ? `as long as ${other} stays for feed ${needed.feed}`
    : `until feed ${needed.feed} has taken ${other}`;
  const message =
    needed.feed === run.feed
      ? `${name} stays at the supplier's: ${other} would be deleted with it, and was not taken`
      : `${name} stays at the supplier's ${until}`;
  await addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'pull', message });
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
    await noteAcknowledged(trx, file, became);
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
    await noteAcknowledged(trx, file, 'open');
    await addEvent(trx, run.id, { at: now, stage: 'pull', message });
    if (file.tries + 1 < TOLD_AFTER) return;
    await raise(trx, { kind: 'not-removed', login, feed, reason: { code: 'not-removed', file: name, said } }, now);
  });
}
