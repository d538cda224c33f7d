import { rm } from 'node:fs/promises';
import { damageOf } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import type { Meter } from '../../gauge.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Validation } from '../../validate/validate.ts';
import type { RunEnd } from '../../wording/managers/run-words.ts';
import { shownReason } from '../../wording/reasons/run-reasons.ts';
import { moment } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';
import { baseOf } from '../feeds/base.ts';
import { bringsChanges } from '../guards/change-order.ts';
import { liveDataset } from '../logins/live-dataset.ts';
import { writtenBefore } from '../read/changes/full-list.ts';
import { putUpon } from '../read/changes/put-upon.ts';
import { asChanges } from '../read/plan/plan-change.ts';
import type { ReadInput } from '../read/read.ts';
import type { ReadResult } from '../read/read-text.ts';
import { readInWorker } from '../read/read-within.ts';
import { readAs, readSettingsOf } from '../read/settings.ts';
import { verdictOn, verdictOnError } from '../read/verdict.ts';
import { baseRowsOf } from '../run/put-changes.ts';
import { reasonIn, reasonOfError } from '../run/read-stage.ts';

/** What limits the reading of a delivery, and how much of it is shown. */
export type PastLimits = { signal: AbortSignal; meter?: Meter | undefined; ruleExamples?: number };

/** A delivery that was read again and is accepted; `upon`: the run of the rows that it was put upon, of changes that were put upon some. */
export type ReadAgain = ReadResult & { validation: Validation; upon: string | null };

/** Why a delivery was not read again to its end, as a sentence without a full stop; `ended`: how its run would end, null where its file is gone. */
export type NotRead = { state: 'held' | 'rejected' | 'gone'; why: string; ended: RunEnd | null };

/** What came of a delivery that was read again. */
export type Past<T> = { state: 'read'; made: T } | NotRead;

/**
 * Reads the archived delivery of a run again with the settings of the configuration, beside what was accepted of it then, and gives it to `use` while
 * its files are there. Changes are put upon the rows that they were put upon then, which stay as they were read. Nothing is recorded.
 */
export async function readPast<T>(
  run: RunRow,
  ctx: Context,
  { signal, ...limits }: PastLimits,
  use: (read: ReadAgain) => Promise<T>,
): Promise<Past<T>> {
  const { feed, login, delivery_name } = run;
  // What was put upon no rows, because it was rejected or held, says nothing of it in its counts.
  const isChange = run.counts?.change !== undefined || (run.rows_sha === null && bringsChanges(run, ctx));
  const base = isChange ? await baseThen(run, ctx) : null;
  if (base !== null && (base.rows_sha === null || !(await usable(base.rows_sha, ctx)))) return withoutBase(base);
  const delivery_sha = run.delivery_sha ?? '';
  const folder = await temporaryFolder('read');
  try {
    const settings = readAs(await readSettingsOf(feed, ctx), run);
    const input = {
      path: ctx.archive.file(delivery_sha),
      name: delivery_name ?? 'delivery',
      folder,
      settings: isChange ? asChanges(settings) : settings,
      live: await liveDataset(login, ctx),
      ...(await asThen(run, ctx)),
      ...(isChange ? { writtenBefore: await writtenBefore(ctx.ledger.db, base) } : {}),
      ...limits,
    };
    const read = await readInWorker(input, signal);
    const result =
      isChange && verdictOn(read).outcome === 'accepted' ? await put(read, base, input, ctx, signal) : read;
    const verdict = verdictOn(result);
    if (verdict.outcome !== 'accepted') return notRead({ ...verdict, reason: reasonIn(result, run, ctx) });
    return { state: 'read', made: await use({ ...(result as ReadAgain), upon: base?.id ?? null }) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage?.sha256 === delivery_sha) return { state: 'gone', why: whyGone(run, damage.damage), ended: null };
    const verdict = verdictOnError(error);
    if (verdict === null) throw error;
    return notRead({ ...verdict, reason: reasonOfError(error, run) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The run of the rows that changes were put upon; of those that were never read, of the rows that are there now. */
async function baseThen(run: RunRow, { ledger: { db } }: Context): Promise<RunRow | null> {
  if (run.counts === null) return baseOf(db, run);
  return run.base === null ? null : getRun(db, run.base);
}

async function put(
  read: ReadResult,
  base: RunRow | null,
  input: ReadInput,
  ctx: Context,
  signal: AbortSignal,
): Promise<ReadResult> {
  const rows = base === null ? null : await baseRowsOf(base, ctx, signal);
  return putUpon(read, rows, { ...input, keys: Object.keys(ctx.config.offer.columns), signal });
}

function withoutBase({ id, bytes_pruned_at }: RunRow): NotRead {
  const gone = bytes_pruned_at === null ? 'are damaged or missing in the archive' : 'were pruned (keep.deliveries)';
  return {
    state: 'gone',
    why: `it has changes, and the rows of run ${id}, which they were put upon, ${gone}`,
    ended: null,
  };
}

/** Columns are found beside those of the delivery itself, and numbers compared with its own: what has come since changes nothing of what it was. */
async function asThen(run: RunRow, ctx: Context): Promise<Pick<ReadInput, 'earlier' | 'earlierHeader'>> {
  const { id, detection, rows_sha, columns } = run;
  const isKept = rows_sha !== null && columns !== null && (await usable(rows_sha, ctx));
  return {
    earlierHeader: detection === null ? null : { ...detection, run: id },
    earlier: isKept ? { path: ctx.archive.file(rows_sha), columns } : null,
  };
}

function notRead(ended: RunEnd & { outcome: 'held' | 'rejected' }): NotRead {
  const why = (shownReason(ended.reason) ?? '').replace(/[.\s]+$/u, '');
  return { state: ended.outcome, why, ended };
}

function whyGone({ bytes_pruned_at }: RunRow, damage: string): string {
  if (bytes_pruned_at !== null) return `its file was pruned on ${moment(bytes_pruned_at)} (keep.deliveries)`;
  return `its file is ${damage} in the archive`;
}
