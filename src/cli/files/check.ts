import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Limits } from '../../config/schema/schema.ts';
import { OfferlineError, STATUS } from '../../errors.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import type { CheckAnswer } from './check-answer.ts';
import {
  checkOutputs,
  sayFull,
  stageOutputs,
  targetsOf,
  writeIssues,
  writeRows,
  type Options,
  type Targets,
  type Work,
} from './check-outputs.ts';
import type { Io } from '../io.ts';
import { whileGauged } from './while-gauged.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';

/** Adds the command `check`. */
export function define(program: Command, io: Io): void {
  program
    .command('check')
    .description('Unpack, detect, validate and normalise a supplier file without uploading it.')
    .argument(
      '[file]',
      'a text, workbook, XML or JSON file, or a zip or gzip archive that contains one; without it what was pushed last to the feed',
    )
    .option('--feed <feed>', 'read it with the settings of this feed')
    .option('--out <file>', 'write the normalised rows as they would be uploaded')
    .option('--issues <file>', 'write every issue as CSV')
    .option(
      '--marked <file>',
      'write the rows that have mistakes as a workbook (xlsx), in the supplier’s own columns, marked',
    )
    .option('--language <name>', 'the language of the workbook: de, en, pl, ru')
    .option('--read-time <time>', 'give up after this time, such as 60s, where `limits.readTime` is longer')
    .option(
      '--json',
      'one JSON value: {outcome, wouldBe, reason, file, dialect, mapping, readings, rows, issues, sample, signals, droppedColumns, notes, marked}',
    )
    .addHelpText(
      'after',
      '\nExit status: 0 if the file would be uploaded, 3 if not.\n\nExample:\n  offerline check north.zip --feed north --issues issues.csv\n  offerline check north.zip --marked mistakes.xlsx\n',
    )
    .action((file: string | undefined, options: Options, command: Command) =>
      file === undefined ? checkPushed(options, command, io) : check(file, options, command, io),
    );
}

/** Checks what was pushed to a feed last. */
async function checkPushed(options: Options, command: Command, io: Io): Promise<void> {
  const { bringPushed } = await import('./pushed-file.ts');
  const folder = await temporaryFolder('check');
  try {
    await check(await bringPushed(options.feed, folder, command, io), options, command, io);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(file: string, options: Options, command: Command, io: Io): Promise<void> {
  const { prepareReading } = await import('../../jobs/read/read-within.ts');
  await prepareReading(file);
  const { checkSettings, feedHistory } = await import('./check-settings.ts');
  await checkOutputs(file, options);
  await checkLanguage(options);
  const settings = await checkSettings(options, basename(file), command, io);
  const asked = { feed: options.feed, isChange: settings.read.changes !== undefined };
  const { accepted, ...history } = await feedHistory(asked, command, io);
  const signal = io.stopSignal();
  const folder = await temporaryFolder('check');
  try {
    const known = { ...settings, read: { ...settings.read, accepted, limits: await limitsOf(settings.read, options) } };
    const work: Work = { file, options, settings: known, ...history, folder, signal, io };
    const { answer: read, rowsPath } = await checkFile(work);
    const { feed } = options;
    const corrected = await withCorrection(read, rowsPath, work);
    const answer =
      feed === undefined
        ? read
        : await (await import('./check-guards.ts')).guarded(corrected, rowsPath, { ...work, feed });
    if (options.json === true) io.json(answer);
    else io.styled((await import('./describe-check.ts')).describeAnswer(answer, io.color));
    if (options.out !== undefined && read.outcome === 'rejected') io.note(`${options.out} was not written.`);
    if (answer.marked?.file === null) io.note(`${options.marked} was not written: ${answer.marked.reason}`);
    io.exit(answer.outcome === 'accepted' ? 0 : STATUS['file-rejected'].exit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The limits of the settings; `--read-time` may be shorter than theirs. */
async function limitsOf({ limits }: ReadSettings, { readTime }: Options): Promise<Limits> {
  if (readTime === undefined) return limits;
  const { duration } = await import('../../config/schema/units.ts');
  const { data, error } = duration.safeParse(readTime);
  if (data === undefined)
    throw new OfferlineError('usage', `--read-time ${readTime} is not valid: ${error.issues[0]!.message}.`);
  return { ...limits, readTime: Math.min(limits.readTime, data) };
}

async function checkLanguage({ marked, language }: Options): Promise<void> {
  if (language === undefined) return;
  if (marked === undefined)
    throw new OfferlineError('usage', '--language is that of the workbook: name it with --marked.');
  const { assertLanguage } = await import('../known-language.ts');
  await assertLanguage(language);
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

async function checkFile(work: Work): Promise<{ answer: CheckAnswer; rowsPath: string }> {
  const { answerOf, refusalOf } = await import('./check-answer.ts');
  const outputs = await stageOutputs(work);
  try {
    const result = await readOrRefuse(work, targetsOf(work, outputs));
    const read = result instanceof OfferlineError ? null : result;
    await writeRows(work, read, outputs.rows);
    await writeIssues(work, read, outputs.issues);
    const marked = await markedIn(work, read);
    if (result instanceof OfferlineError)
      return { answer: { ...refusalOf(basename(work.file), result.message), marked }, rowsPath: '' };
    const found = answerOf(result, work.options.feed);
    const notes = [...found.notes, ...work.notes];
    const answer = { ...found, notes, signals: await signalsIn(result, work), marked };
    return { answer, rowsPath: result.rowsPath };
  } catch (error) {
    throw await sayFull(error, work, outputs);
  } finally {
    await outputs.rows?.discard();
    await outputs.issues?.discard();
  }
}

/** What became of the workbook, if one was asked for. */
async function markedIn(work: Work, read: ReadResult | null): Promise<CheckAnswer['marked']> {
  const { marked } = work.options;
  if (marked === undefined) return null;
  const { writeMarkedRows } = await import('./check-marked.ts');
  return writeMarkedRows({ ...work, options: { ...work.options, marked } }, read);
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

/** The result, or why there is no usable text in the file: that is an answer, not a failure of the command. */
async function readOrRefuse(
  { file, folder, settings, earlier, earlierHeader, live, base, writtenBefore, signal, io }: Work,
  targets: Targets,
): Promise<ReadResult | OfferlineError> {
  const [{ readFileWithin }, { verdictOnError }] = await Promise.all([
    import('../../jobs/read/read-within.ts'),
    import('../../jobs/read/verdict.ts'),
  ]);
  try {
    const input = { path: file, name: basename(file), folder, settings: settings.read };
    const read = await whileGauged(basename(file), 'read', io, (meter) =>
      readFileWithin({ ...input, earlier, earlierHeader, live, writtenBefore, ...targets, meter }, signal),
    );
    if (settings.read.changes === undefined || read.validation?.outcome !== 'accepted') return read;
    const { putUpon } = await import('../../jobs/read/changes/put-upon.ts');
    const keys = settings.read.columns.map(({ key }) => key);
    return await putUpon(read, base, { ...input, issues: targets.issues, keys, signal });
  } catch (error) {
    if (error instanceof OfferlineError && verdictOnError(error) !== null) return error;
    throw error;
  }
}
