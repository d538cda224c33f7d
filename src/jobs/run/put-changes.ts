import { acceptedFile } from '../guards/held-diff.ts';
import type { Context } from '../../context.ts';
import type { DeliveryKind } from '../../config/schema/feeds/changes-schema.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { refusal } from '../../io/refusal.ts';
import { addEvent, getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { ChangeCounts } from '../../model.ts';
import { deliveryKind } from '../../pull/choose/delivery-kind.ts';
import { grouped } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';
import { baseOf, readOtherwise } from '../feeds/base.ts';
import { putUpon, type BaseRows } from '../read/changes/put-upon.ts';
import { asChanges } from '../read/plan/plan-change.ts';
import type { ReadInput } from '../read/read.ts';
import type { ReadResult } from '../read/read-text.ts';

/** What a run's delivery brings. Throws `file-rejected` for one whose name does not say it. */
export function kindOfDelivery({ feed, delivery_name }: RunRow, { config }: Pick<Context, 'config'>): DeliveryKind {
  const { delivery = 'full' } = own(config.feeds, feed) ?? {};
  const name = delivery_name ?? '';
  const kind = deliveryKind(delivery, name);
  if (kind !== null) return kind;
  const message =
    `${name} may be a full list or changes: its name fits both patterns of feeds.${feed}.delivery, or neither, so nothing of it was ` +
    'taken. Correct the patterns, or give the file a name that fits one of them.';
  throw refusal('kind-unknown', message, { file: name });
}

/** The settings for reading what a delivery brings. */
export function readingOf(kind: DeliveryKind, settings: ReadSettings): ReadSettings {
  return kind === 'changes' ? asChanges(settings) : settings;
}

/** Changes that were read and put upon the rows before them, and the run of these, or null. */
export type PutRows = { result: ReadResult; base: RunRow | null };

/**
 * Puts the changes of a run, read as `input` says, upon the rows before them; where there are none, the changes are all there is. Throws `archive` when the archive has
 * lost these rows.
 */
export async function putRunUpon(
  run: RunRow,
  read: ReadResult,
  input: ReadInput,
  ctx: Context,
  signal: AbortSignal,
): Promise<PutRows> {
  if (read.unsure !== null || read.validation.outcome !== 'accepted') return { result: read, base: null };
  const base = await baseOf(ctx.ledger.db, run);
  const rows = base === null ? null : await baseRowsOf(base, ctx, signal);
  const keys = Object.keys(ctx.config.offer.columns);
  const gauge = { stage: 'read', unit: 'rows', total: base?.counts?.accepted ?? null } as const;
  const result = await ctx.gauges.during(run.id, gauge, (meter) =>
    putUpon(read, rows, { ...input, keys, meter, signal }),
  );
  return { result, base };
}

/** The rows of a run for changes that are put upon them. Throws `archive` when the archive has lost them. */
export async function baseRowsOf(base: RunRow, ctx: Context, signal?: AbortSignal): Promise<BaseRows> {
  const file = acceptedFile(base, ctx);
  if (file === null || base.rows_sha === null || !(await usable(base.rows_sha, ctx, signal))) {
    const message =
      `The rows of run ${base.id}, which these changes are put upon, are damaged or missing in the archive. ` +
      'Ask the supplier for a full list, or bring the archive back from a backup and run this one again.';
    throw new OfferlineError('archive', message);
  }
  const name = base.entry ?? base.delivery_name ?? 'delivery';
  return { run: base.id, name, path: file.path, columns: file.columns, parts: base.detection?.parts ?? [] };
}

/** Says in the timeline of a run what its changes did to the rows before them. */
export async function notePut(run: RunRow, counts: ChangeCounts, base: RunRow | null, ctx: Context): Promise<void> {
  const [added, changed, removed, same, absent] = [
    counts.added,
    counts.changed,
    counts.removed,
    counts.same,
    counts.absent,
  ].map(grouped);
  const message =
    base === null
      ? `changes put upon no rows: ${added} added, ${changed} changed, ${removed} removed, ${same} the same, ${absent} not there`
      : `changes put upon the ${grouped(counts.base)} rows of run ${base.id}: ${added} added, ${changed} changed, ${removed} removed, ${same} the same, ${absent} not there`;
  await addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'read', message });
}

/**
 * Says in the timeline of a run of changes that rows before them were read with other settings than these, and stay so; not again where the run
 * whose rows they are put upon has said the same.
 */
export async function noteReadOtherwise(
  { id }: RunRow,
  { base, settings }: { base: RunRow; settings: string },
  ctx: Context,
): Promise<void> {
  const { db } = ctx.ledger;
  const other = await readOtherwise(db, await getRun(db, id), settings);
  if (other === null) return;
  const isChange = base.base !== null && base.settings_hash === settings;
  if (isChange && (await readOtherwise(db, base, settings))?.id === other.id) return;
  await addEvent(db, id, { at: ctx.clock.now(), stage: 'read', message: readOtherwiseText(other) });
}

/** What is said of rows that were read with other settings and that changes are put upon. */
export function readOtherwiseText({ id }: RunRow): string {
  return `rows of run ${id} were read with other settings and stay so; a full list brings those of now to all rows`;
}
