import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { OfferlineError, STATUS } from '../../errors.ts';
import type { Detection } from '../../model.ts';
import { dialectOf, FORMAT_NAMES } from '../../wording/files/dialect.ts';
import { comparisonLines } from '../../wording/files/side-by-side.ts';
import { mappingLines } from '../../wording/columns/unsure-columns.ts';
import type { Io } from '../io.ts';
import { printable } from '../../wording/printable.ts';
import { sayTemporaryFull, temporaryFolder } from '../../io/temporary-folder.ts';

type Found = { file: string; inner: string | null; detection: Detection };

/** Adds the command `detect`. */
export function define(program: Command, io: Io): void {
  program
    .command('detect')
    .description(
      'Detect how supplier files are written and what their columns mean, with the evidence; needs no configuration.',
    )
    .argument('<files...>', 'texts or workbooks, also in zip or gzip archives')
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
  const settings = readSettings(READING_DEFAULTS);
  const { limits, columns, tagSeparator, maxTags } = settings;
  const { whileVerified } = await import('../../archive/kept-file.ts');
  const folder = await temporaryFolder('detect');
  try {
    return await whileVerified(file, async (path) => {
      const unpacked = await unpack({ path, name: basename(file), folder, limits });
      const inner = unpacked.path === file ? null : unpacked.name;
      const { format } = unpacked;
      if (format === 'text')
        return { file, inner, detection: await detect(unpacked.path, { columns, tagSeparator, maxTags }) };
      const { asText } = await import('../../jobs/read/as-text.ts');
      const { text, table, settings: its, undecided } = await asText({ ...unpacked, format }, { folder, settings });
      const detection = await detect(text.path, { columns: its.columns, tagSeparator, maxTags, table });
      if (undecided === null) return { file, inner, detection };
      const evidence = [undecided.reason, ...detection.evidence];
      return { file, inner, detection: { ...detection, sure: false, confidence: UNDECIDED, evidence } };
    });
  } catch (error) {
    throw sayTemporaryFull(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Several sheets may be meant. */
const UNDECIDED = 0.5;

/** The answer for a file that cannot be read: the same fields with nothing in them. */
const NO_GUESS = {
  format: null,
  sheet: null,
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
  const { format, sheet, charset, bom, delimiter, quote, newline, header } = dialectOf(detection);
  const { sure, confidence, columns, headerLine, headerSure, mapping, evidence, readings } = detection;
  return {
    file,
    ...(inner === null ? {} : { inner }),
    format,
    sheet,
    charset,
    bom,
    sure,
    confidence,
    delimiter,
    quote,
    escape: format === 'text' ? detection.escape : null,
    newline,
    header,
    columns,
    headerLine,
    headerSure,
    mapping,
    evidence,
    readings,
  };
}

function describe({ file, inner, detection }: Found, several: boolean): string {
  const { sure, confidence, header, headerLine, columns } = detection;
  const lines = [
    ...writtenLines(detection),
    `header      ${header ? `${headerLine === 0 ? '' : `line ${headerLine}: `}${columns.map(printable).join(' | ')}` : `none; data from line ${headerLine}`}`,
    ...mappingLines(detection.mapping).map(([label, text]) => `${label.padEnd(11)} ${printable(text)}`),
    `confidence  ${confidence}${sure ? '' : `, NOT SURE: set ${inQuestion(detection)}`}`,
    ...detection.evidence.map((sentence) => `  - ${printable(sentence)}`),
    ...comparisonLines(detection.readings).map(printable),
  ];
  const title = inner === null ? file : `${file} (${inner})`;
  return several ? [printable(title), ...lines, ''].join('\n') : lines.join('\n');
}

/** How the file is written: the dialect of a text, the sheet of a workbook. */
function writtenLines(detection: Detection): string[] {
  const { format, sheet } = dialectOf(detection);
  if (format !== 'text') {
    return [`format      ${FORMAT_NAMES[format]}`, ...(sheet === null ? [] : [`sheet       ${printable(sheet)}`])];
  }
  const { charset, bom, delimiter, quote, newline } = detection;
  return [
    `charset     ${charset}${bom ? ' with byte order mark' : ''}`,
    `delimiter   ${delimiter === null ? 'none: one column' : JSON.stringify(delimiter)}`,
    `quote       ${quote ?? 'none'}`,
    `newline     ${JSON.stringify(newline)}`,
  ];
}

/** The settings that would settle a dialect that is not sure. */
function inQuestion({ format, headerLine, headerSure, readings }: Detection): string {
  if (format !== 'text' && headerSure) return `the feed’s ${headerLine === 0 ? 'records' : 'sheet'}`;
  const open = headerSure || readings.length > 1 ? 'charset and delimiter' : 'header';
  return `${open} in the feed’s dialect setting`;
}
