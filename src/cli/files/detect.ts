import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { OfferlineError, STATUS } from '../../errors.ts';
import type { Detection } from '../../model.ts';
import { comparisonLines } from '../../wording/files/side-by-side.ts';
import { mappingLines } from '../../wording/columns/unsure-columns.ts';
import type { Io } from '../io.ts';
import { printable } from '../../wording/printable.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Found = { file: string; inner: string | null; detection: Detection };

/** Adds the command `detect`. */
export function define(program: Command, io: Io): void {
  program
    .command('detect')
    .description('Detect charset and dialect of supplier files, with the evidence; needs no configuration.')
    .argument('<files...>', 'text files, zip or gzip archives')
    .option('--json', 'one compact JSON line per file')
    .addHelpText('after', '\nExample:\n  offerline detect inbox/*.csv prices.zip --json\n')
    .action((files: string[], options: { json?: boolean }) => detectAll(files, options.json ?? false, io));
}

/** Continues after a file that cannot be read; the exit status is that of the worst one. */
async function detectAll(files: string[], json: boolean, io: Io): Promise<void> {
  let status = 0;
  for (const file of files) {
    try {
      const found = await detectOne(file);
      if (json) io.json(answer(found));
      else io.out(describe(found, files.length > 1));
    } catch (error) {
      if (!(error instanceof OfferlineError)) throw error;
      status = Math.max(status, STATUS[error.code].exit);
      if (json)
        io.json({ file, ...NO_GUESS, error: { code: error.details['code'] ?? error.code, message: error.message } });
      else io.note(error.message);
    }
  }
  io.exit(status);
}

async function detectOne(file: string): Promise<Found> {
  const { READING_DEFAULTS } = await import('../../config/schema/defaults.ts');
  const { readSettings } = await import('../../config/schema/feed-settings.ts');
  const { detect } = await import('../../detect/detect.ts');
  const { unpack } = await import('../../pull/unpack/unpack.ts');
  const { limits, columns } = readSettings(READING_DEFAULTS);
  const folder = await temporaryFolder('offerline-detect-');
  try {
    const unpacked = await unpack({ path: file, name: basename(file), folder, limits });
    const inner = unpacked.path === file ? null : unpacked.name;
    return { file, inner, detection: await detect(unpacked.path, { columns }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The answer for a file that is not text: the same fields with nothing in them. */
const NO_GUESS = {
  charset: null,
  bom: false,
  sure: false,
  confidence: 0,
  delimiter: null,
  quote: null,
  escape: null,
  newline: null,
  header: null,
  columns: [],
  headerLine: null,
  headerSure: null,
  mapping: [],
  evidence: [],
  readings: [],
};

function answer({ file, inner, detection }: Found): Record<string, unknown> {
  const { charset, bom, sure, confidence, delimiter, quote, escape, newline, header, columns } = detection;
  const { headerLine, headerSure, mapping, evidence } = detection;
  const dialect = { delimiter, quote, escape, newline, header, columns, headerLine, headerSure, mapping };
  return {
    file,
    ...(inner === null ? {} : { inner }),
    charset,
    bom,
    sure,
    confidence,
    ...dialect,
    evidence,
    readings: detection.readings,
  };
}

function describe({ file, inner, detection }: Found, several: boolean): string {
  const { charset, bom, sure, confidence, delimiter, quote, newline, header, headerLine, columns } = detection;
  const lines = [
    `charset     ${charset}${bom ? ' with byte order mark' : ''}`,
    `delimiter   ${delimiter === null ? 'none: one column' : JSON.stringify(delimiter)}`,
    `quote       ${quote ?? 'none'}`,
    `newline     ${JSON.stringify(newline)}`,
    `header      ${header ? `line ${headerLine}: ${columns.map(printable).join(' | ')}` : `none; data from line ${headerLine}`}`,
    ...mappingLines(detection.mapping).map(([label, text]) => `${label.padEnd(11)} ${printable(text)}`),
    `confidence  ${confidence}${sure ? '' : `, NOT SURE: set ${inQuestion(detection)} in the feed’s dialect setting`}`,
    ...detection.evidence.map((sentence) => `  - ${printable(sentence)}`),
    ...comparisonLines(detection.readings).map(printable),
  ];
  const title = inner === null ? file : `${file} (${inner})`;
  return several ? [printable(title), ...lines, ''].join('\n') : lines.join('\n');
}

/** The settings that would settle a dialect that is not sure. */
function inQuestion({ headerSure, readings }: Detection): string {
  return headerSure || readings.length > 1 ? 'charset and delimiter' : 'header';
}
