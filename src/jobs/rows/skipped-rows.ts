import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { LineSet } from '../../io/line-set.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { SkipKind } from '../../model.ts';
import { isBlank } from '../../validate/checks/check-row.ts';
import type { ScannedRow } from '../../validate/scan/scan-rows.ts';
import { skippedKind } from '../../wording/account.ts';
import { lineOf } from '../../wording/files/place.ts';
import { withAllRows } from '../read/original-rows.ts';
import { linesRead, type Search } from './find-rows.ts';
import { createPager, type Pager } from './paging.ts';
import type { FoundRow, FoundRows, RowReason } from './run-rows.ts';
import { goneText, withDelivery } from '../archive/supplier-lines.ts';

/**
 * Lines of a file that are no offers: those of the delivery that were not read. Where it is gone only the first of each kind are
 * known.
 */
export async function findSkipped(search: Search, ctx: Context): Promise<FoundRows> {
  const { run } = search;
  const gone = goneText(run);
  if (gone !== null) return examples(search, gone);
  try {
    const read = await linesRead(search, ctx);
    return await withDelivery(run, ctx, (original) => withAllRows(original, (rows) => collect(rows, read, search)));
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code === 'internal') throw error;
    return examples(search, error.message);
  }
}

async function collect(rows: AsyncIterable<ScannedRow[]>, read: LineSet, search: Search): Promise<FoundRows> {
  const pager = createPager<FoundRow>(search.page);
  const kindOf = kindsOf(search.run);
  const { detection } = search.run;
  let isAbove = true;
  for await (const batch of rows) {
    for (const row of batch) {
      const isTable = row.gap === undefined && !isBlank(row);
      const isHeader = isAbove && isTable && detection?.header === true;
      if (isTable) isAbove = false;
      if (!isHeader && !read.has(row.line)) takeLines(pager, row, kindOf(row), search);
    }
  }
  return { rows: pager.rows, matches: pager.count };
}

/** Blank lines that follow one another are one row of the scanner. */
function takeLines(pager: Pager<FoundRow>, row: ScannedRow, kind: SkipKind | null, { run, matches }: Search): void {
  const text = row.cells.join(' ');
  if (matches?.({ brand: '', oem: '', name: text }) === false) return;
  const last = row.gap === undefined ? row.line : row.lastLine;
  const isText = run.detection?.format === 'text';
  // What stands above the table or is blank has no cells of its own.
  const written = row.gap === undefined ? {} : { supplierLine: { text: isText ? text : null, cells: row.cells } };
  for (let line = row.line; line <= last; line += 1) {
    pager.take(() => ({ line, verdict: 'skipped', cells: null, reasons: reasonsOf(kind, text), ...written }));
  }
}

/** What a line is that was not read, as far as that is known without judging it again. */
function kindsOf({ counts, detection }: RunRow): (row: ScannedRow) => SkipKind | null {
  const kinds = counts?.skippedRows ?? [];
  const inTable = kinds.filter(({ kind }) => kind !== 'blank' && kind !== 'preamble');
  const known = new Map(
    inTable.flatMap(({ kind, examples }) =>
      examples.map((place) => [lineOf(detection?.parts ?? [], place), kind] as const),
    ),
  );
  return (row) => {
    if (isBlank(row)) return 'blank';
    if (row.gap === 'above') return 'preamble';
    return inTable.length === 1 ? inTable[0]!.kind : (known.get(row.line) ?? null);
  };
}

function examples({ run, matches, page, notes }: Search, why: string): FoundRows {
  notes.add(`${why} Of the lines that are no offers only the first of each kind are kept.`);
  const pager = createPager<FoundRow>(page);
  for (const { kind, examples: first } of run.counts?.skippedRows ?? []) {
    for (const { value, ...place } of first) {
      if (matches?.({ brand: '', oem: '', name: value }) === false) continue;
      const line = lineOf(run.detection?.parts ?? [], place);
      pager.take(() => ({ line, verdict: 'skipped', cells: null, reasons: reasonsOf(kind, value) }));
    }
  }
  return { rows: pager.rows, matches: pager.count };
}

function reasonsOf(kind: SkipKind | null, value: string): RowReason[] {
  if (kind === null) return [];
  return [{ by: 'us', code: kind, severity: 'warning', column: null, value, message: skippedKind(kind) }];
}
