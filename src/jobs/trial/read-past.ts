import { rm } from 'node:fs/promises';
import { damageOf } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import type { Meter } from '../../gauge.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Validation } from '../../validate/validate.ts';
import type { RunEnd } from '../../wording/managers/run-words.ts';
import { shownReason } from '../../wording/reasons/run-reasons.ts';
import { moment } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';
import { liveDataset } from '../logins/live-dataset.ts';
import type { ReadInput } from '../read/read.ts';
import type { ReadResult } from '../read/read-text.ts';
import { readInWorker } from '../read/read-within.ts';
import { readAs, readSettingsOf } from '../read/settings.ts';
import { verdictOn, verdictOnError } from '../read/verdict.ts';
import { reasonIn, reasonOfError } from '../run/read-stage.ts';

/** What limits the reading of a delivery, and how much of it is shown. */
export type PastLimits = { signal: AbortSignal; meter?: Meter | undefined; ruleExamples?: number };

/** A delivery that was read again and is accepted. */
export type ReadAgain = ReadResult & { validation: Validation };

/** Why a delivery was not read again to its end, as a sentence without a full stop; `ended`: how its run would end, null where its file is gone. */
export type NotRead = { state: 'held' | 'rejected' | 'gone'; why: string; ended: RunEnd | null };

/** The rows that changes are put upon were read with the settings of their time, so that the changes alone would show less than all. */
const CHANGES: NotRead = {
  state: 'gone',
  why: 'it has changes, which mean nothing without the rows that they were put upon',
  ended: null,
};

/** What came of a delivery that was read again. */
export type Past<T> = { state: 'read'; made: T } | NotRead;

/**
 * Reads the archived delivery of a run again with the settings of the configuration, beside what was accepted of it then, and gives it to `use` while
 * its files are there. Nothing is recorded.
 */
export async function readPast<T>(
  run: RunRow,
  ctx: Context,
  { signal, ...limits }: PastLimits,
  use: (read: ReadAgain) => Promise<T>,
): Promise<Past<T>> {
  const { feed, login, delivery_name } = run;
  if (run.counts?.change !== undefined) return CHANGES;
  const delivery_sha = run.delivery_sha ?? '';
  const folder = await temporaryFolder('read');
  try {
    const result = await readInWorker(
      {
        path: ctx.archive.file(delivery_sha),
        name: delivery_name ?? 'delivery',
        folder,
        settings: readAs(await readSettingsOf(feed, ctx), run),
        live: await liveDataset(login, ctx),
        ...(await asThen(run, ctx)),
        ...limits,
      },
      signal,
    );
    const verdict = verdictOn(result);
    if (verdict.outcome !== 'accepted') return notRead({ ...verdict, reason: reasonIn(result, run, ctx) });
    return { state: 'read', made: await use(result as ReadAgain) };
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
