import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { count, type Meter } from '../../gauge.ts';
import type { WrittenFile } from '../../model.ts';
import { readBeginning } from '../../io/read-pieces.ts';
import { decodeBytes, decodeText } from '../../io/text-decode.ts';
import { needsTidying, tidyText, tidyTexts } from '../../io/tidy-text.ts';
import { createRowScanner, type ScannedRow, type ScanOptions } from './scan-rows.ts';
import { hasLooseQuotes } from './loose-quotes.ts';
import type { TableShape } from './swallowed-rows.ts';
import type { ScanDialect } from './text-view.ts';

/** A text file, how it is written, and how long its rows may be. */
export type ScannedText = { path: string; detection: WrittenFile; settings: Pick<ReadSettings, 'limits'> };

/** The file as the scanner sees it. */
export type Source = { dialect: ScanDialect; scan: ScanOptions };

/** Finds out how the scanner has to cut a text into rows. */
export function sourceOfText({ path, detection, settings }: ScannedText): Source {
  // A cell that begins with a quote and has no second one is reported even in files without quoting.
  const dialect = { ...detection, quote: detection.quote ?? '"' };
  const shape = tableShapeOf(path, detection, dialect);
  const { headerLine } = detection;
  const line = Math.min(1, headerLine);
  const rowWidth = detection.width > 1 ? detection.width : null;
  return { dialect, scan: { line, firstLine: headerLine, rowLength: settings.limits.rowLength, rowWidth, ...shape } };
}

/** The rows of a text from its header on, as they are written, a piece of the file at a time. */
export async function* scanText(
  { path, detection, meter }: ScannedText & { meter?: Meter | undefined },
  { dialect, scan }: Source,
): AsyncGenerator<ScannedRow[]> {
  const scanner = createRowScanner(dialect, scan);
  const decoded = decodeText(path, detection.charset, detection.bom, (bytes) => count(meter, bytes));
  let held = '';
  for await (const text of needsTidying(detection) ? tidyTexts(decoded, detection) : decoded) {
    held += text;
    // A long row is looked at again when as much has arrived: each look copies all of it.
    if (held.length < scanner.rest()) continue;
    yield scanner.push(held);
    held = '';
  }
  if (held !== '') yield scanner.push(held);
  yield scanner.end();
}

/** This many bytes show how a file uses quotes. */
const BEGINNING = 256 * 1024;

/** What a scanner needs to know about a file; judged by its beginning, so that every part of it is read by the same rules. */
function tableShapeOf(path: string, detection: WrittenFile, dialect: ScanDialect): TableShape {
  const { charset, bom, headerLine, columns } = detection;
  const text = decodeBytes(readBeginning(path, BEGINNING), charset);
  const whole = bom && text.startsWith('\uFEFF') ? text.slice(1) : text;
  const beginning = needsTidying(detection) ? tidyText(whole, detection) : whole;
  return {
    width: columns.length === 0 ? null : columns.length,
    looseQuotes: hasLooseQuotes(beginning, dialect, headerLine),
  };
}
