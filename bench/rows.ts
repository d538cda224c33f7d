/**
 * Holds reading to csv-parse on real files: `npm run bench:rows -- FOLDER`, a folder such as `bench:detect` takes (its files
 * may not go into the repository either). Of every file that csv-parse takes without complaint, the scanner must give the same
 * cells; and kernels, in very small chunks, must leave the same rows and issues as reading with care. Exit status 1 when
 * any file differs.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import { readSettings } from '../src/config/schema/feed-settings.ts';
import { configSchema } from '../src/config/schema/schema.ts';
import type { Detection } from '../src/model.ts';
import { decodeBytes } from '../src/io/text-decode.ts';
import { createRowScanner } from '../src/validate/scan/scan-rows.ts';
import { validate } from '../src/validate/validate.ts';
import { countKernelRows } from '../test/support/kernel-rows.ts';
import { labelledFiles, type Labelled } from './detection/labelled.ts';

const BOM = '\uFEFF';
/** Kernels read everything behind the rows by which the width of a table is told, in chunks of a few rows. */
const SMALL = { large: 0, head: 16_384, headRows: 100, chunk: 300, line: 65_536, thread: 1024 ** 3 };
const POSITIONS: Record<string, number> = { brand: 1, oem: 2, name: 3 };
const [folder] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), 'offerline-bench-'));
const kernelRows = countKernelRows();

/** The rows of a file as csv-parse reads them, without empty lines, or null when it complains. */
function parseRows(text: string, { delimiter, quote }: Labelled): string[][] | null {
  const quoting = quote === '' ? { quote: null, escape: null } : { quote, escape: quote };
  const options = { delimiter: delimiter!, ...quoting, record_delimiter: ['\r\n', '\n'], relax_column_count: true };
  try {
    return parse(text, options).filter(isNoEmptyLine);
  } catch {
    return null;
  }
}

function isNoEmptyLine(cells: string[]): boolean {
  return cells.length > 1 || cells[0] !== '';
}

function detectionOf({ charset, delimiter, quote }: Labelled, bom: boolean): Detection {
  const verdict = { sure: true, confidence: 1, evidence: [], readings: [] };
  const dialect = { delimiter, quote: quote === '' ? null : quote, escape: quote === '' ? null : quote, newline: '\n' };
  return {
    format: 'text',
    parts: [],
    charset,
    bom,
    ...dialect,
    header: false,
    headerLine: 1,
    headerSure: true,
    spacedQuotes: false,
    wholeLines: false,
    passedOver: [],
    wraps: { backslashes: false, columns: [] },
    columns: [],
    width: 0,
    mapping: [],
    looks: [],
    ...verdict,
  };
}

function scanRows(text: string, detection: Detection): string[][] {
  const scanner = createRowScanner(detection, { firstLine: 1, rowLength: 1_000_000, width: null, looseQuotes: false });
  return [...scanner.push(text), ...scanner.end()].map(({ cells }) => cells).filter(isNoEmptyLine);
}

/** All that reading the file comes to, by the first columns. */
async function read(detection: Detection, sizes: Partial<typeof SMALL>): Promise<unknown> {
  const config = { ...configSchema.parse({ logins: {}, feeds: {} }), logins: {}, feeds: {} };
  const settings = readSettings(config);
  settings.columns = settings.columns
    .filter(({ key }) => POSITIONS[key] !== undefined)
    .map((column) => Object.assign(column, { position: POSITIONS[column.key]!, required: false }));
  const [path, rowsPath, issuesPath] = ['file', 'rows', 'issues'].map((name) => join(temporary, name)) as [
    string,
    string,
    string,
  ];
  const validation = await validate({ path, detection, settings, rowsPath, issuesPath, sizes });
  return [validation, readFileSync(rowsPath, 'utf8'), readFileSync(issuesPath, 'utf8')];
}

async function compare(folder: string): Promise<void> {
  const counts = { files: 0, valid: 0, rows: 0 };
  const different: string[] = [];
  for (const file of labelledFiles(folder)) {
    if (file.kind !== 'dialect' || file.delimiter === null) continue;
    counts.files += 1;
    const decoded = decodeBytes(file.bytes, file.charset);
    const text = decoded.startsWith(BOM) ? decoded.slice(1) : decoded;
    const parsed = /\r(?!\n)/.test(text) ? null : parseRows(text, file);
    const detection = detectionOf(file, text !== decoded);
    if (parsed !== null) {
      counts.valid += 1;
      counts.rows += parsed.length;
      if (!isDeepStrictEqual(scanRows(text, detection), parsed)) different.push(`${file.name}: scanner and csv-parse`);
    }
    writeFileSync(join(temporary, 'file'), file.bytes);
    const careful = await read(detection, { large: Infinity });
    const byKernels = await read(detection, SMALL);
    if (!isDeepStrictEqual(byKernels, careful)) different.push(`${file.name}: kernel and careful path`);
  }
  console.log(
    `${counts.files} files, ${counts.valid} of them (${counts.rows} rows) without complaint of csv-parse; ${kernelRows().rows} rows by kernels`,
  );
  for (const name of different) console.log(`different: ${name}`);
  if (different.length > 0) process.exitCode = 1;
}

try {
  if (folder === undefined) {
    console.error('Name a folder of labelled files: npm run bench:rows -- FOLDER');
    process.exitCode = 2;
  } else {
    await compare(folder);
  }
} finally {
  rmSync(temporary, { recursive: true });
}
