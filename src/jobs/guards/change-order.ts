import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { takenAt } from '../../ledger/runs/deliveries.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { compareKnownPlaces, missingBefore, stopBefore } from '../../pull/choose/changes.ts';
import { deliveryKind } from '../../pull/choose/delivery-kind.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import { changesTaken } from '../feeds/changes-taken.ts';

/** True for a run whose file brings changes, whose place among others is judged by their order. */
export function bringsChanges({ feed, delivery_name }: RunRow, { config }: Pick<Context, 'config'>): boolean {
  const settings = own(config.feeds, feed);
  return settings !== undefined && deliveryKind(settings.delivery, delivery_name ?? '') === 'changes';
}

/**
 * Why a file is held that is not the next one of a feed whose deliveries are changes: it comes before the last one or has its number, others are
 * missing or wait before it, or there are no rows that it could be put upon. Null when it is the next, and when somebody forced it.
 */
export async function orderReason(run: RunRow, ctx: Context): Promise<RunReason | null> {
  const { feed, login, options } = run;
  // A re-run is forced so that the same bytes are read, not so that they go before others.
  if (options.force === true && options.of === undefined) return null;
  const taken = await changesTaken(feed, login, ctx, run.id);
  if (taken === null) return null;
  const { names, last, lastRun } = taken;
  const first = options.of === undefined ? run : await getRun(ctx.ledger.db, options.of);
  const file = { name: run.delivery_name ?? '', mtimeMs: run.modified_at, takenAt: takenAt(first) };
  const facts = { code: 'change-order', feed, file: file.name, missing: [] as string[] } as const;
  const because = (why: OrderFacts['why'], other: string | null, of: string | null) => ({
    ...facts,
    why,
    other,
    run: of,
  });
  const isAgain = last !== null && run.delivery_sha === lastRun?.delivery_sha;
  if (last !== null && !isAgain) {
    const order = compareKnownPlaces(file, last, names);
    if (order < 0) return because('older', last.name, lastRun!.id);
    if (order === 0 && names.sequenceOf(file.name) !== null && names.sequenceOf(last.name) !== null)
      return because('repeated', last.name, lastRun!.id);
  }
  if (names.kindOf(file.name) !== 'changes') return null;
  const stop = stopBefore(file, taken);
  if (stop !== null) return because('stopped', stop.name, stop.run);
  if (last === null && names.hasFull) return because('no-base', null, null);
  const { missing, isSure } = missingBefore(file, taken);
  return missing.length === 0 || !isSure ? null : { ...because('gap', null, null), missing };
}

type OrderFacts = Extract<RunReason, { code: 'change-order' }>;
