import type { Detection } from '../model.ts';
import { decodeBytes } from '../text-decode.ts';
import { charsetOf, type CharsetVerdict } from './charset.ts';
import { rankLayouts, type Fit } from './dialect.ts';
import { findHeader } from './header.ts';
import { knownNames } from './header-names.ts';
import { scanFile, type Scan } from './scan.ts';
import { cutTable, type Table } from './table.ts';

/** What is known beforehand: settings win over evidence, names help to find the header. */
export type Hints = {
  charset?: string;
  delimiter?: string;
  header?: 'auto' | boolean;
  /** Header spellings of each column of the configuration. */
  headerNames?: string[][];
};

const AUTO = 'auto';
const SURE = 0.9;
/** Two delimiters whose tables are this close to each other are both plausible; a few rows may agree by chance. */
const TOO_CLOSE = 0.9;
const TOO_CLOSE_FOR_FEW = 0.75;
const FEW_ROWS = 5;

/**
 * Finds out charset, delimiter, quote, newline and header row of an unpacked text file, with the evidence. Reads the
 * whole file once as a stream. `sure: false` means that it must not be acted on without asking. Throws `usage` for a
 * charset setting that does not exist.
 */
export async function detect(path: string, hints: Hints = {}): Promise<Detection> {
  const scan = await scanFile(path);
  const names = knownNames(hints.headerNames);
  const charset = charsetOf(scan, names, explicit(hints.charset));
  const text = beginning(scan, charset);
  const { fits, table, confidence, evidence } = tableOf(text, explicit(hints.delimiter) ?? declaredDelimiter(text));
  const best = fits[0];
  const header = findHeader(table.rows, best?.width ?? 1, names, hints.header ?? AUTO);
  const newline = newlineOf(text);
  const quote = best === undefined ? '"' : quoteOf(best, text);
  return {
    charset: charset.charset,
    bom: charset.bom,
    sure: charset.sure && confidence >= SURE,
    confidence: Math.round(Math.min(charset.confidence, confidence) * 100) / 100,
    delimiter: best?.layout.delimiter ?? null,
    quote,
    escape: best?.layout.escape ?? quote,
    newline: newline.newline,
    header: header.row !== undefined,
    columns: header.row?.cells.map((cell) => cell.text.trim()) ?? [],
    headerLine: header.line,
    evidence: [...charset.evidence, ...evidence, header.evidence, ...newline.evidence],
  };
}

function explicit(setting: string | undefined): string | undefined {
  return setting === undefined || setting === AUTO ? undefined : setting;
}

/** Excel writes and obeys a first line such as `sep=;`. */
function declaredDelimiter(text: string): string | undefined {
  return /^"?sep=([,;|\t])"?\r?\n/i.exec(text)?.[1];
}

/** The decoded beginning of the file, without a byte order mark and without a last line that is cut. */
function beginning(scan: Scan, { charset }: CharsetVerdict): string {
  const decoded = charset === 'binary' ? '' : decodeBytes(scan.head, charset);
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  if (scan.head.length === scan.bytes) return text;
  const lastLine = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return lastLine < 0 ? text : text.slice(0, lastLine + 1);
}

type TableVerdict = { fits: Fit[]; table: Table; confidence: number; evidence: string[] };

function tableOf(text: string, delimiter: string | undefined): TableVerdict {
  const fits = rankLayouts(text, delimiter).filter(({ score }) => score > 0);
  const best = fits[0];
  if (best === undefined) {
    const table = cutTable(text, { delimiter: null, quote: '"', escape: '"' }, LOOK_AT_ROWS);
    return { fits, table, confidence: 0.9, evidence: ['No delimiter cuts the text into columns: it is one column.'] };
  }
  const rows = best.table.rows.filter((row) => row.cells.length === best.width).length;
  const shown = JSON.stringify(best.layout.delimiter);
  const counted = `${rows} of the first ${best.table.rows.length} rows have ${best.width} cells`;
  if (delimiter !== undefined) {
    return { fits, table: best.table, confidence: 1, evidence: [`The delimiter is set to ${shown}: ${counted}.`] };
  }
  const rival = fits.find((fit) => fit.layout.delimiter !== best.layout.delimiter);
  const evidence = [`The delimiter is ${shown}: ${counted}.`];
  if (rival === undefined) return { fits, table: best.table, confidence: 1, evidence };
  const closeness = rival.score / best.score;
  const limit = rows < FEW_ROWS ? TOO_CLOSE_FOR_FEW : TOO_CLOSE;
  if (closeness > 0.7) {
    evidence.push(`The delimiter ${JSON.stringify(rival.layout.delimiter)} would give ${rival.width} cells.`);
  }
  return { fits, table: best.table, confidence: closeness > limit ? 0.5 : 1 - closeness / 10, evidence };
}

const LOOK_AT_ROWS = 400;

/** The usual quote even where none is used, unless the text has quotes that do not work as such. */
function quoteOf({ layout }: Fit, text: string): string | null {
  if (layout.quote !== null) return layout.quote;
  const { broken } = cutTable(text, { ...layout, quote: '"', escape: '"' }, LOOK_AT_ROWS);
  return broken > 1 ? null : '"';
}

function newlineOf(text: string): { newline: string; evidence: string[] } {
  const counts: [string, number][] = [
    ['\r\n', text.match(/\r\n/g)?.length ?? 0],
    ['\n', text.match(/(?<!\r)\n/g)?.length ?? 0],
    ['\r', text.match(/\r(?!\n)/g)?.length ?? 0],
  ];
  const used = counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  const [newline] = used[0] ?? ['\n'];
  const mixed = used.map(([end, count]) => `${JSON.stringify(end)} ${count} times`).join(', ');
  return { newline, evidence: used.length > 1 ? [`Line ends are mixed: ${mixed}.`] : [] };
}
