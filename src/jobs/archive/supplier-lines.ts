import { rm } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { shortened } from '../../wording/printable.ts';
import { moment } from '../../wording/words.ts';
import { withOriginalRows, type OriginalInput, type OriginalRow } from '../read/original-rows.ts';
import { readSettingsOf } from '../read/settings.ts';
import { textsOfLines } from './line-texts.ts';

/** A row as the supplier wrote it: its physical lines, null where the file is no text, and its cells. */
export type SupplierLine = { text: string | null; cells: string[] };

/** The supplier's own rows by their lines; `missing` says why there are none. `names`: of their cells, in the supplier's order. */
export type SupplierLines = { names: string[]; missing: string | null; lines: Map<number, SupplierLine> };

/** Longer texts and cells are cut. */
const LONGEST = 4_000;
const MOST_CELLS = 500;

/**
 * The supplier's own rows in the archived delivery of a run, by the lines of the text that it was read as: of a text the physical
 * lines, decoded, else the cells. Never fails for what a person cannot help, such as a delivery that was pruned.
 */
export async function supplierLinesOf(run: string | RunRow, lines: number[], ctx: Context): Promise<SupplierLines> {
  const row = typeof run === 'string' ? await getRun(ctx.ledger.db, run) : run;
  const earlier = linesOfEarlier(row, lines);
  if (earlier.size === 0) return linesOfRun(row, lines, ctx);
  const beyond = new Set([...earlier.values()].flatMap((places) => places.map(({ at }) => at)));
  const found = await linesOfRun(
    row,
    lines.filter((line) => !beyond.has(line)),
    ctx,
  );
  for (const [id, places] of earlier) {
    const there = await linesOfRun(
      await getRun(ctx.ledger.db, id),
      places.map(({ line }) => line),
      ctx,
    );
    found.missing ??= there.missing;
    for (const { at, line } of places) {
      const text = there.lines.get(line);
      if (text !== undefined) found.lines.set(at, text);
    }
  }
  return found;
}

/** A wanted line of rows that changes were put upon, and the line in the delivery of which it is. */
type EarlierLine = { at: number; line: number };

/** The wanted lines that are of earlier deliveries, by the runs of these. */
function linesOfEarlier({ detection }: RunRow, lines: number[]): Map<string, EarlierLine[]> {
  const found = new Map<string, EarlierLine[]>();
  for (const at of lines) {
    const part = detection?.parts.findLast((one) => one.line <= at);
    if (part?.of === undefined) continue;
    const { run, line } = part.of;
    found.set(run, [...(found.get(run) ?? []), { at, line: at - part.line + line }]);
  }
  return found;
}

async function linesOfRun(row: RunRow, lines: number[], ctx: Context): Promise<SupplierLines> {
  const names = row.cell_names ?? [];
  const missing = (why: string) => ({ names, missing: why, lines: new Map<number, SupplierLine>() });
  if (lines.length === 0) return { names, missing: null, lines: new Map() };
  const gone = goneText(row);
  if (gone !== null) return missing(gone);
  try {
    const found = await withDelivery(row, ctx, (original) => readLines(original, lines));
    return { names, missing: null, lines: found };
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code === 'internal') throw error;
    return missing(error.message);
  }
}

/** Why a run has no delivery that could be looked into; null when the archive should have it. */
export function goneText({ id, detection, delivery_sha, bytes_pruned_at: at }: RunRow): string | null {
  if (delivery_sha === null || detection === null) return `Run ${id} has read no rows of a file.`;
  return at === null ? null : `The delivery of run ${id} was pruned on ${moment(at)} (keep.deliveries).`;
}

/** Works with the archived delivery of a run that has one. Throws as `withOriginalRows`. */
export async function withDelivery<T>(
  run: RunRow,
  ctx: Context,
  work: (original: Omit<OriginalInput, 'lines'>) => Promise<T>,
): Promise<T> {
  const folder = await ctx.archive.tempFolder();
  try {
    const name = run.delivery_name ?? 'delivery';
    return await work({
      path: ctx.archive.file(run.delivery_sha ?? ''),
      name,
      entry: run.entry ?? name,
      detection: run.detection!,
      settings: await readSettingsOf(run.feed, ctx),
      folder,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readLines(original: Omit<OriginalInput, 'lines'>, wanted: number[]): Promise<Map<number, SupplierLine>> {
  const lines = [...new Set(wanted)].sort((a, b) => a - b);
  return withOriginalRows({ ...original, lines }, async ({ rows, pieces }) => {
    const found: OriginalRow[] = [];
    for await (const row of rows)
      found.push({ ...row, cells: row.cells.slice(0, MOST_CELLS).map((cell) => shortened(cell, LONGEST)) });
    const isText = original.detection.format === 'text';
    const texts = isText ? await textsOfLines(pieces(), found, LONGEST) : null;
    return new Map(found.map(({ line, cells }, at) => [line, { text: texts?.[at] ?? null, cells }]));
  });
}
