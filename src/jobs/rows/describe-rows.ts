import type { Context } from '../../context.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { spellingsOf } from '../../config/schema/feed-settings.ts';
import { partKey } from '../../parts/part-key.ts';
import { createSpeller, type Speller } from '../../parts/spellings.ts';
import { placeIn } from '../../wording/files/place.ts';
import type { FoundRow, RowPlace, RowReason, RunRowFacts } from './run-rows.ts';
import { supplierLinesOf, type SupplierLines } from '../archive/supplier-lines.ts';
import { costOf, reasonOf, refusalOf, rejectionsOfRun, rowIssues } from './stored.ts';
import type { Verdicts } from './verdicts.ts';
import { fileNamed, fileOf, firstRows, winnersIn } from './winners.ts';

/** Rows of a page with all that is known of them, and what is known of their supplier's lines. */
export type DescribedRows = { rows: RunRowFacts[]; supplierLines: Omit<SupplierLines, 'lines'> };

/** Something that is said of a row; `lost`: only of this one of its numbers, which was not accepted. */
type SaidReason = { reason: RowReason; lost: string | null };

/** What issues and rejections say of the rows of a page, by line, and the cells that issues have. */
type Said = { reasons: Map<number, SaidReason[]>; cells: Map<number, string[]> };

/** Says all that is known of the rows of a page. `withLines`: also how the supplier wrote them. */
export async function describeRows(
  run: RunRow,
  found: FoundRow[],
  { verdicts, notes, withLines }: { verdicts: Verdicts; notes: Set<string>; withLines: boolean },
  ctx: Context,
): Promise<DescribedRows> {
  const said = await saidOf(run, found, notes, ctx);
  const rows = found.map((row) => describe(run, row, said));
  const winners = await winnersOf(run, rows, verdicts, notes, ctx);
  const wanted = found.filter(({ supplierLine }) => supplierLine === undefined).flatMap(({ line }) => line ?? []);
  const { lines, ...supplierLines } = withLines
    ? await supplierLinesOf(run, wanted, ctx)
    : { names: run.cell_names ?? [], missing: null, lines: new Map() };
  const spell = spellerOf(run, ctx);
  return {
    supplierLines,
    rows: rows.map((row, at) => {
      const { line, supplierLine = lines.get(line ?? -1) ?? null } = found[at]!;
      return Object.assign(row, {
        winner: winners.get(winnerKey(row, spell)) ?? null,
        supplierLine: withLines ? supplierLine : null,
      });
    }),
  };
}

async function saidOf(run: RunRow, found: FoundRow[], notes: Set<string>, ctx: Context): Promise<Said> {
  const lines = new Set(found.map(({ line }) => line));
  const said: Said = { reasons: new Map(), cells: new Map() };
  const add = (line: number, reason: RowReason, lost: string | null = null) =>
    said.reasons.set(line, [...(said.reasons.get(line) ?? []), { reason, lost }]);
  if (found.some(({ verdict }) => verdict === 'rejectedRemotely')) {
    for await (const rejection of rejectionsOfRun(run, ctx, notes)) {
      const { line, match } = rejection;
      if (match === 'exact' && line !== null && lines.has(line)) add(line, refusalOf(rejection));
    }
  }
  if (found.length === 0 || Object.keys(run.issues ?? {}).length === 0) return said;
  for await (const { at, issue, cells, number } of rowIssues(run, ctx, notes)) {
    if (!lines.has(at)) continue;
    add(at, reasonOf(issue, run.feed), costOf(issue) === null ? null : number);
    said.cells.set(at, cells);
  }
  return said;
}

function describe(run: RunRow, { line, verdict, cells, number = null, reasons }: FoundRow, said: Said): RunRowFacts {
  const keys = run.columns ?? [];
  const names = cells === null ? (run.cell_names ?? []) : keys;
  const own = cells ?? said.cells.get(line ?? -1) ?? [];
  const cellOf = (key: string) => (key === 'oem' ? number : null) ?? own[names.indexOf(key)] ?? '';
  const found = (line === null ? undefined : said.reasons.get(line)) ?? [];
  // What cost one of several numbers says nothing of the others.
  const isWhole = cells === null && number === null;
  const its = found.filter(({ lost }) => lost === null || lost === number || isWhole).map(({ reason }) => reason);
  const place = line === null ? { file: undefined, sheet: null, line } : placeIn(run.detection?.parts ?? [], line);
  return {
    ...place,
    ...fileNamed(place.file, fileOf(run)),
    key: { brand: cellOf('brand'), oem: cellOf('oem') },
    cells: dictionary(keys.filter((key) => names.includes(key)).map((key) => [key, cellOf(key)])),
    verdict,
    reasons: [...(reasons ?? []), ...its],
    winner: null,
    supplierLine: null,
  };
}

/** Who has the parts of outranked rows and of duplicates, by verdict and part. */
async function winnersOf(
  run: RunRow,
  rows: RunRowFacts[],
  { dataset }: Verdicts,
  notes: Set<string>,
  ctx: Context,
): Promise<Map<string, RowPlace>> {
  const spell = spellerOf(run, ctx);
  const keysOf = (wanted: RunRowFacts['verdict']) =>
    new Set(rows.filter(({ verdict }) => verdict === wanted).map(({ key }) => partKey(spell(key.brand), key.oem)));
  const outranked =
    dataset === null ? new Map<string, RowPlace>() : await winnersIn(dataset, keysOf('outranked'), notes, ctx);
  const first = await firstRows(run, keysOf('duplicate'), notes, ctx);
  return new Map([
    ...[...outranked].map(([key, place]) => [`outranked ${key}`, place] as const),
    ...[...first].map(([key, place]) => [`duplicate ${key}`, place] as const),
  ]);
}

function winnerKey({ verdict, key: { brand, oem } }: RunRowFacts, spell: Speller): string {
  return `${verdict} ${partKey(spell(brand), oem)}`;
}

/** What the brands of rows stand for that were not accepted: they are shown as their supplier wrote them. */
function spellerOf({ feed }: RunRow, { config }: Context): Speller {
  return createSpeller(spellingsOf(config, feed));
}
