import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lineBatches } from '../../archive/lines.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { SignalSettings } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import { createUnwrap } from '../../columns/unwrap.ts';
import type { Detection, SeenSignals } from '../../model.ts';
import { filledCells } from '../../signals/filled-cells.ts';
import { findSignals, type FoundSignals } from '../../signals/find-columns.ts';
import { writeSample } from '../../signals/sample.ts';
import { watchRows, type Watcher } from '../../signals/see.ts';
import { signalIssue } from '../../validate/issues/signal-issue.ts';
import { issueLine, type IssuesLayout } from '../../validate/issues/issue-line.ts';
import { SAMPLE_PER_CODE } from '../../validate/issues/issue-log.ts';
import { scanFile, sourceOf } from '../../validate/scan/scan-file.ts';
import type { Validation } from '../../validate/validate.ts';

/** What was seen of a delivery beside what is uploaded; `samplePath`: its sample of parts, null where no columns are seen. */
export type SeenDelivery = { signals: SeenSignals; samplePath: string | null };

/** A text that was read, with the files that were written of it. */
type Read = { path: string; detection: Detection; rowsPath: string; issuesPath: string; validation: Validation };

/** How it was read; `issues` null: they are not written. */
type Input = { folder: string; settings: ReadSettings; issues?: { layout: IssuesLayout } | null | undefined };

/**
 * Sees what a delivery says beside what is uploaded: whether its rows have names and, where the feed has `signals`, their prices and
 * stock, in a second pass over the text. Columns that cannot be used become issues.
 */
export async function seeDelivery(read: Read, input: Input, signal: AbortSignal | undefined): Promise<SeenDelivery> {
  const { settings } = input;
  const keys = settings.columns.map(({ key }) => key);
  const names = await filledCells(read.rowsPath, keys.indexOf('name'));
  const seen = { rows: read.validation.counts.accepted, names };
  if (settings.signals === null) return { signals: { ...seen, price: null, stock: null }, samplePath: null };
  const found = findColumns(settings.signals, read);
  await logProblems(found, read, input);
  const watcher = watchRows(found);
  if (found.price !== null || found.stock !== null) await watchFile(watcher, found, { read, input, keys }, signal);
  const { seen: cells, parts, cells: priceCells } = watcher.end();
  const samplePath = join(input.folder, 'seen.tsv');
  await writeSample(samplePath, parts, priceCells);
  return { signals: { ...seen, ...cells }, samplePath };
}

function findColumns(settings: SignalSettings, { detection: { columns, width, mapping } }: Read): FoundSignals {
  const used = mapping.filter(({ sure }) => sure).map(({ position }) => position - 1);
  return findSignals(settings, { header: columns, width, used });
}

/** The columns that are set and cannot be used are issues of the file, beside those of its rows. */
async function logProblems({ problems }: FoundSignals, { validation, detection, issuesPath }: Read, input: Input) {
  const layout = input.issues === null ? null : (input.issues?.layout ?? 'json');
  const ofFiles = detection.parts.some(({ file }) => file !== undefined);
  for (const { kind, problem, wanted, found } of problems) {
    const issue = signalIssue({ column: kind, isMissing: problem === 'missing', wanted, found }, detection.headerLine);
    validation.issues[issue.code] = (validation.issues[issue.code] ?? 0) + 1;
    if (validation.issues[issue.code]! <= SAMPLE_PER_CODE) validation.sample.push(issue);
    if (layout !== null) await appendFile(issuesPath, issueLine(issue, layout, validation.columns, ofFiles));
  }
}

type Work = { read: Read; input: Input; keys: string[] };

/** Goes through the text beside the accepted rows, which are in its order. */
async function watchFile(
  watcher: Watcher,
  { price, stock }: FoundSignals,
  { read, input, keys }: Work,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [brandAt, oemAt] = [keys.indexOf('brand') + 1, keys.indexOf('oem') + 1];
  const unwraps = new Map(
    [price, stock].flatMap((column) =>
      column === null ? [] : [[column.position, createUnwrap(read.detection.wraps, column.position - 1)] as const],
    ),
  );
  const plain = (cell: string, { position }: { position: number }) => unwraps.get(position)?.(cell)?.text ?? cell;
  const accepted = acceptedRows(read.rowsPath);
  let next = await accepted.next();
  const scanned = { path: read.path, detection: read.detection, settings: input.settings };
  for await (const batch of scanFile(scanned, sourceOf(scanned))) {
    if (signal?.aborted === true) throw new OfferlineError('interrupted', 'Reading the file was interrupted.');
    for (const { line, cells, gap } of batch) {
      if (gap !== undefined || line !== next.line) continue;
      const cellOf = (column: typeof price) =>
        column === null ? null : plain(cells[column.position - 1] ?? '', column);
      // A row with several numbers may be several offers.
      while (line === next.line) {
        const [brand, oem] = [next.cells[brandAt] ?? '', next.cells[oemAt] ?? ''];
        watcher.add({ line, brand, oem, price: cellOf(price), stock: cellOf(stock) });
        next = accepted.take() ?? (await accepted.next());
      }
    }
  }
}

type Accepted = { line: number; cells: string[] };

/** The accepted rows one after the other; `take` answers without waiting, null when the next ones have to be read first. */
function acceptedRows(path: string): { next: () => Promise<Accepted>; take: () => Accepted | null } {
  const batches = lineBatches(path)[Symbol.asyncIterator]();
  let lines: string[] = [];
  let at = 0;
  const take = () => {
    const text = lines[at];
    if (text === undefined) return null;
    at += 1;
    const cells = text.split('\t');
    return { line: Number(cells[0]), cells };
  };
  const next = async (): Promise<Accepted> => {
    for (;;) {
      const row = take();
      if (row !== null) return row;
      const { value, done } = await batches.next();
      if (done === true) return { line: -1, cells: [] };
      [lines, at] = [value, 0];
    }
  };
  return { next, take };
}
