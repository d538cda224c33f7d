import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { RowFile } from '../../compose/row-file.ts';
import { OfferlineError } from '../../errors.ts';
import type { KnownDelivery } from '../../jobs/guards/correction.ts';
import type { ProvedRules } from '../../jobs/guards/feed-guard.ts';
import type { ProvedSignals } from '../../jobs/guards/compare-samples.ts';
import { sayTemporaryFull } from '../../io/temporary-folder.ts';
import type { ReadInput } from '../../jobs/read/read.ts';
import type { BaseRows } from '../../jobs/read/changes/put-upon.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import type { EarlierHeader, WrittenFile } from '../../model.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import type { CheckSettings } from './check-settings.ts';
import type { Io } from '../io.ts';
import type { stageOutput } from './output-file.ts';

/** What `check` was asked for. */
export type Options = {
  feed?: string;
  out?: string;
  issues?: string;
  marked?: string;
  language?: string;
  readTime?: string;
  json?: boolean;
};

/** What checking a file needs, and where its outputs go. */
export type Work = {
  file: string;
  options: Options;
  settings: CheckSettings;
  /** What is live of the feed. */
  earlier: KeptRows | null;
  earlierHeader: EarlierHeader | null;
  /** What is live in its login. */
  live: RowFile | null;
  /** What it may be the correction of. */
  known: KnownDelivery[];
  /** What was seen of the live rows. */
  proved: ProvedSignals | null;
  /** What rules did to the live delivery. */
  ruled: ProvedRules | null;
  /** The rows that changes are put upon, and how the deliveries are written that they come from. */
  base: BaseRows | null;
  writtenBefore: WrittenFile[];
  /** What is to be said of these rows, in sentences. */
  notes: string[];
  folder: string;
  signal: AbortSignal;
  io: Io;
};

/** Refuses outputs that cannot be written, that are the file itself, or that are one file, before any work is done. */
export async function checkOutputs(file: string, { out, issues, marked }: Options): Promise<void> {
  const { checkOutput, isSameFile } = await import('./output-file.ts');
  const named = Object.entries({ '--out': out, '--issues': issues, '--marked': marked });
  const outputs = named.filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const [option, path] of outputs) checkOutput(option, path, file);
  for (const [at, [option, path]] of outputs.entries()) {
    for (const [other, second] of outputs.slice(at + 1)) {
      if (!isSameFile(path, second)) continue;
      throw new OfferlineError('usage', `${option} and ${other} name the same file.`);
    }
  }
}

/** A file beside its final name that is written while the delivery is read; null where that cannot be. */
type Staged = Awaited<ReturnType<typeof stageOutput>>;
export type Outputs = { rows: Staged; issues: Staged };

/** Begins the files that can be written while the delivery is read. */
export async function stageOutputs(work: Work): Promise<Outputs> {
  const rows = await stageRows(work);
  try {
    return { rows, issues: await stageIssues(work) };
  } catch (error) {
    await rows?.discard();
    throw error;
  }
}

/** Rows can be written at once as they are uploaded, unless the normalised ones are needed too. */
function areAsUploaded({ earlier, known, settings: { offer, read } }: Work): boolean {
  const isCompared = earlier !== null || known.length > 0 || read.signals !== null || read.changes !== undefined;
  return !isCompared && offer.layout === 'txt' && offer.charset === 'UTF-8';
}

async function stageRows(work: Work): Promise<Staged> {
  if (work.options.out === undefined || !areAsUploaded(work)) return null;
  const { stageOutput } = await import('./output-file.ts');
  return stageOutput('--out', work.options.out);
}

async function stageIssues({ options }: Work): Promise<Staged> {
  // What is marked is made from the issues as data.
  if (options.issues === undefined || options.marked !== undefined) return null;
  const { stageOutput } = await import('./output-file.ts');
  return stageOutput('--issues', options.issues);
}

/** The error for a disk that is full: that of an output, or of the temporary files. Others stay as they are. */
export async function sayFull(error: unknown, { options }: Work, { rows, issues }: Outputs): Promise<unknown> {
  const full = error instanceof OfferlineError && error.code === 'disk-full' ? error.details['path'] : undefined;
  const { unwritable } = await import('./output-file.ts');
  if (rows !== null && full === rows.path) return unwritable('--out', options.out ?? '', error);
  if (issues !== null && full === issues.path) return unwritable('--issues', options.issues ?? '', error);
  return sayTemporaryFull(error);
}

/** Where reading writes rows and issues. */
export type Targets = Pick<ReadInput, 'rows' | 'issues'>;

/** Where reading is to write them. */
export function targetsOf(work: Work, outputs: Outputs): Targets {
  return { rows: rowsInput(work, outputs), issues: issuesInput(work, outputs) };
}

function rowsInput(work: Work, { rows }: Outputs): Targets['rows'] {
  const { options, earlier, known, settings, folder } = work;
  const { signals, changes } = settings.read;
  const isCompared = earlier !== null || known.length > 0 || signals !== null || changes !== undefined;
  if (options.out === undefined && !isCompared) return null;
  if (!areAsUploaded(work)) return undefined;
  const head = `${settings.read.columns.map((column) => column.key).join('\t')}\n`;
  return { path: rows?.path ?? join(folder, 'rows.txt'), layout: { numbered: false, head } };
}

function issuesInput({ options, folder }: Work, { issues }: Outputs): Targets['issues'] {
  if (options.marked !== undefined) return undefined;
  return options.issues === undefined ? null : { path: issues?.path ?? join(folder, 'issues.csv'), layout: 'csv' };
}

/** Writes the rows of a file that is accepted to where `--out` says. */
export async function writeRows(work: Work, result: ReadResult | null, staged: Staged): Promise<void> {
  const { options, settings } = work;
  if (options.out === undefined || result?.validation?.outcome !== 'accepted') return;
  if (staged !== null) return staged.finish();
  const { writeOutput } = await import('./output-file.ts');
  if (areAsUploaded(work)) return writeOutput('--out', options.out, createReadStream(result.rowsPath));
  const { offerFile } = await import('../../compose/offer-file.ts');
  const keys = settings.read.columns.map((column) => column.key);
  await writeOutput('--out', options.out, offerFile(result.rowsPath, keys, settings.offer));
}

/** A file that could not be read at all has no issues, but a table for them all the same. */
export async function writeIssues({ options }: Work, result: ReadResult | null, staged: Staged): Promise<void> {
  if (options.issues === undefined) return;
  const isRead = result !== null && result.unsure !== 'dialect' && result.unsure !== 'cells';
  if (isRead && staged !== null) return staged.finish();
  const { writeOutput } = await import('./output-file.ts');
  const { issueCsvHead } = await import('../../validate/issues/issue-line.ts');
  if (!isRead) return writeOutput('--issues', options.issues, [issueCsvHead([])]);
  const table = options.marked === undefined ? createReadStream(result.issuesPath) : csvOf(result);
  await writeOutput('--issues', options.issues, table);
}

/** Issues that were written as data, as a table. */
async function* csvOf({ issuesPath, validation }: ReadResult): AsyncGenerator<string> {
  const { issueCsvHead, issueLine } = await import('../../validate/issues/issue-line.ts');
  const { readIssues } = await import('../../validate/issues/read-issues.ts');
  const names = validation?.columns ?? [];
  yield issueCsvHead(names);
  for await (const issues of readIssues(issuesPath)) yield issues.map((one) => issueLine(one, 'csv', names)).join('');
}
