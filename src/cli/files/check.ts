import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import type { RowFile } from '../../compose/row-file.ts';
import type { Guard } from '../../config/schema/schema.ts';
import { OfferlineError, STATUS } from '../../errors.ts';
import { createGauges, type Meter } from '../../gauge.ts';
import type { ReadInput } from '../../jobs/read/read.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import type { KnownDelivery } from '../../jobs/guards/correction.ts';
import type { EarlierHeader } from '../../model.ts';
import type { ProvedSignals } from '../../jobs/guards/compare-samples.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import type { CheckAnswer } from './check-answer.ts';
import type { CheckSettings } from './check-settings.ts';
import type { Io } from '../io.ts';
import type { stageOutput } from './output-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Options = { feed?: string; out?: string; issues?: string; json?: boolean };

/** What checking a file needs, and where its outputs go. */
type Work = {
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
  folder: string;
  signal: AbortSignal;
  io: Io;
};

/** Adds the command `check`. */
export function define(program: Command, io: Io): void {
  program
    .command('check')
    .description('Unpack, detect, validate and normalise a supplier file without uploading it.')
    .argument('<file>', 'a text, workbook, XML or JSON file, or a zip or gzip archive that contains one')
    .option('--feed <feed>', 'read it with the settings of this feed')
    .option('--out <file>', 'write the normalised rows as they would be uploaded')
    .option('--issues <file>', 'write every issue as CSV')
    .option(
      '--json',
      'one JSON value: {outcome, reason, file, dialect, mapping, readings, rows, issues, sample, signals, droppedColumns}',
    )
    .addHelpText(
      'after',
      '\nExit status: 0 if the file would be uploaded, 3 if not.\n\nExample:\n  offerline check north.zip --feed north --issues issues.csv\n',
    )
    .action((file: string, options: Options, command: Command) => check(file, options, command, io));
}

async function check(file: string, options: Options, command: Command, io: Io): Promise<void> {
  const { checkSettings, feedHistory } = await import('./check-settings.ts');
  const { stopSignal } = await import('../session.ts');
  const { describeAnswer } = await import('./check-answer.ts');
  await checkOutputs(file, options);
  const settings = await checkSettings(options.feed, command);
  const { accepted, ...history } = await feedHistory(options.feed, command);
  const signal = stopSignal();
  const folder = await temporaryFolder('offerline-check-');
  try {
    const known = { ...settings, read: { ...settings.read, accepted } };
    const work: Work = { file, options, settings: known, ...history, folder, signal, io };
    const { answer: read, rowsPath } = await checkFile(work);
    const { feed } = options;
    const corrected = await withCorrection(read, rowsPath, work);
    const answer = feed === undefined ? read : await guarded(corrected, settings.guard, feed);
    if (options.json === true) io.json(answer);
    else io.styled(describeAnswer(answer, io.color));
    if (options.out !== undefined && read.outcome === 'rejected') io.note(`${options.out} was not written.`);
    io.exit(answer.outcome === 'accepted' ? 0 : STATUS['file-rejected'].exit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file that looks like the correction of an earlier one would be held, whatever the guards say. */
async function withCorrection(answer: CheckAnswer, path: string, { known, settings }: Work): Promise<CheckAnswer> {
  if (answer.outcome !== 'accepted' || known.length === 0) return answer;
  const { correctionReason } = await import('../../jobs/guards/correction.ts');
  const { compareDeliveries } = await import('../../jobs/guards/compare-deliveries.ts');
  const { wouldBeHeld } = await import('./check-answer.ts');
  const { runSentence } = await import('../../wording/reasons/run-reasons.ts');
  const newer = { path, columns: settings.read.columns.map(({ key }) => key), kind: 'rows' } as const;
  const reason = await correctionReason(newer, answer.rows.accepted, known, compareDeliveries);
  return reason === null ? answer : wouldBeHeld(answer, runSentence(reason));
}

async function guarded(answer: CheckAnswer, guard: Guard, feed: string): Promise<CheckAnswer> {
  const { withGuard } = await import('./check-answer.ts');
  return withGuard(answer, guard, feed);
}

async function checkOutputs(file: string, { out, issues }: Options): Promise<void> {
  const { checkOutput, isSameFile } = await import('./output-file.ts');
  if (out !== undefined) await checkOutput('--out', out, file);
  if (issues !== undefined) await checkOutput('--issues', issues, file);
  if (out !== undefined && issues !== undefined && (await isSameFile(out, issues)))
    throw new OfferlineError('usage', '--out and --issues name the same file.');
}

/** A file beside its final name that is written while the delivery is read; null where that cannot be. */
type Staged = Awaited<ReturnType<typeof stageOutput>>;
type Outputs = { rows: Staged; issues: Staged };

async function checkFile(work: Work): Promise<{ answer: CheckAnswer; rowsPath: string }> {
  const { answerOf, refusalOf } = await import('./check-answer.ts');
  const outputs: Outputs = { rows: await stageRows(work), issues: await stageIssues(work) };
  try {
    const result = await readOrRefuse(work, { rows: rowsInput(work, outputs), issues: issuesInput(work, outputs) });
    const read = result instanceof OfferlineError ? null : result;
    await writeRows(work, read, outputs.rows);
    await writeIssues(work, read, outputs.issues);
    if (result instanceof OfferlineError)
      return { answer: refusalOf(basename(work.file), result.message), rowsPath: '' };
    const answer = { ...answerOf(result, work.options.feed), signals: await signalsIn(result, work) };
    return { answer, rowsPath: result.rowsPath };
  } finally {
    await outputs.rows?.discard();
    await outputs.issues?.discard();
  }
}

/** What was seen, compared with what is live; only a feed has either. */
async function signalsIn(
  { seen, detection }: ReadResult,
  { options, proved, signal }: Work,
): Promise<CheckAnswer['signals']> {
  if (seen === undefined || options.feed === undefined) return null;
  const { compareSignals, shownSignals } = await import('../../jobs/guards/signals.ts');
  const newer = { seen: seen.signals, sample: seen.samplePath };
  return shownSignals(await compareSignals(newer, proved, detection.parts, signal));
}

/** Rows can be written at once as they are uploaded, unless the normalised ones are needed too. */
function areAsUploaded({ earlier, known, settings: { offer, read } }: Work): boolean {
  const isCompared = earlier !== null || known.length > 0 || read.signals !== null;
  return !isCompared && offer.layout === 'txt' && offer.charset === 'UTF-8';
}

async function stageRows(work: Work): Promise<Staged> {
  if (work.options.out === undefined || !areAsUploaded(work)) return null;
  const { stageOutput } = await import('./output-file.ts');
  return stageOutput('--out', work.options.out);
}

async function stageIssues({ options }: Work): Promise<Staged> {
  if (options.issues === undefined) return null;
  const { stageOutput } = await import('./output-file.ts');
  return stageOutput('--issues', options.issues);
}

type Targets = Pick<ReadInput, 'rows' | 'issues'>;

function rowsInput(work: Work, { rows }: Outputs): Targets['rows'] {
  const { options, earlier, known, settings, folder } = work;
  const isCompared = earlier !== null || known.length > 0 || settings.read.signals !== null;
  if (options.out === undefined && !isCompared) return null;
  if (!areAsUploaded(work)) return undefined;
  const head = `${settings.read.columns.map((column) => column.key).join('\t')}\n`;
  return { path: rows?.path ?? join(folder, 'rows.txt'), layout: { numbered: false, head } };
}

function issuesInput({ options, folder }: Work, { issues }: Outputs): NonNullable<Targets['issues']> | null {
  return options.issues === undefined ? null : { path: issues?.path ?? join(folder, 'issues.csv'), layout: 'csv' };
}

/** The result, or why there is no usable text in the file: that is an answer, not a failure of the command. */
async function readOrRefuse(
  { file, folder, settings, earlier, earlierHeader, live, signal, io }: Work,
  targets: Targets,
): Promise<ReadResult | OfferlineError> {
  const { readFile } = await import('../../jobs/read/read.ts');
  try {
    const input = { path: file, name: basename(file), folder, settings: settings.read };
    return await whileGauged(basename(file), io, (meter) =>
      readFile({ ...input, earlier, earlierHeader, live, ...targets, meter }, signal),
    );
  } catch (error) {
    if (error instanceof OfferlineError && error.code === 'file-rejected') return error;
    throw error;
  }
}

/** Milliseconds between two looks at the meter. */
const LOOK_EVERY = 100;

/** Reads a file with a meter to count in, and shows meanwhile how much of it is read, where a terminal shows anything. */
async function whileGauged<T>(name: string, io: Io, read: (meter: Meter) => Promise<T>): Promise<T> {
  const gauges = createGauges();
  const look = () => io.gauge(gauges.of(name), name);
  const looking = io.interactive ? setInterval(look, LOOK_EVERY) : undefined;
  try {
    return await gauges.during(name, { stage: 'read', unit: 'bytes', total: null }, read);
  } finally {
    clearInterval(looking);
    look();
  }
}

async function writeRows(work: Work, result: ReadResult | null, staged: Staged): Promise<void> {
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
async function writeIssues({ options }: Work, result: ReadResult | null, staged: Staged): Promise<void> {
  if (options.issues === undefined) return;
  const isRead = result !== null && result.unsure !== 'dialect';
  if (isRead && staged !== null) return staged.finish();
  const { writeOutput } = await import('./output-file.ts');
  const { issueCsvHead } = await import('../../validate/issues/issue-line.ts');
  await writeOutput('--issues', options.issues, isRead ? createReadStream(result.issuesPath) : [issueCsvHead([])]);
}
