import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { supplierLanguage } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { collectFaults, type Faults } from '../../report/marked/faults.ts';
import type { ReportInput } from '../../report/input.ts';
import { runInThread } from '../../threads/thread.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { moment } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';
import { replaceFile } from '../../io/replace-file.ts';
import { readSettingsOf } from '../read/settings.ts';
import { reportFolder } from './reports-here.ts';
import type { WriteMarked } from './write-marked.ts';

/** A workbook with a supplier's rows that have mistakes, and what is wrong with them. */
export type MarkedFile = { path: string; name: string; faults: Faults };

/** The detail `code` of an error that says that nothing is wrong. */
export const NOTHING_TO_MARK = 'nothing-to-mark';

/**
 * Writes the rows of a run's delivery that have mistakes into a workbook, with the supplier's own columns and the mistakes marked;
 * one that is here and was made from the same is taken as it is. Fails with `conflict` when nothing is wrong with the file, nothing of
 * it was read, or the archive has it no longer, and with `archive` when it is damaged.
 */
export async function markedFile(
  run: RunRow,
  input: ReportInput,
  ctx: Context,
  signal?: AbortSignal,
): Promise<MarkedFile> {
  const { detection, delivery_sha: sha256 } = run;
  const fail = (why: string, details = {}) => new OfferlineError('conflict', `Run ${run.id} ${why}`, { details });
  const nothing = { code: NOTHING_TO_MARK };
  const unread = 'has read no rows of a file, so there is nothing to mark. `offerline show` says why.';
  if (detection === null || sha256 === null) throw fail(unread, nothing);
  const language = supplierLanguage(ctx.config, run.feed);
  const faults = await collectFaults(input, detection, openLanguage(language));
  if (faults.causes.length === 0) {
    const isRead = input.answer.rows.read > 0;
    throw fail(isRead ? 'has no row with a mistake, so there is nothing to mark.' : unread, nothing);
  }
  const path = join(reportFolder(run.id, ctx), `report.${language}.xlsx`);
  const marked = { path, name: `${stemOf(run)}-marked.xlsx`, faults };
  const from = sourceOf({ detection, sha256, faults, language, read: input.answer.rows.read });
  if (await isMadeFrom(from, path)) return marked;
  if (!(await usable(sha256, ctx, signal))) throw fail(goneText(run));
  await write(run, { detection, sha256, faults, language, path }, input, ctx, signal);
  await replaceFile(sourceFile(path), [from]);
  return marked;
}

type ToWrite = {
  detection: NonNullable<RunRow['detection']>;
  sha256: string;
  faults: Faults;
  language: string;
  path: string;
};

async function write(
  run: RunRow,
  { detection, sha256, faults, language, path }: ToWrite,
  { answer }: ReportInput,
  ctx: Context,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = await ctx.archive.tempFolder();
  try {
    const name = run.delivery_name ?? 'delivery';
    const task: WriteMarked = {
      path,
      original: {
        path: ctx.archive.file(sha256),
        name,
        entry: run.entry ?? name,
        detection,
        settings: await readSettingsOf(run.feed, ctx),
        folder,
      },
      marked: { name: run.entry ?? name, read: answer.rows.read, sandbox: answer.sandbox, language, faults },
    };
    await runInThread<void>(
      { module: new URL('./write-marked.ts', import.meta.url), name: 'writeMarked' },
      task,
      signal,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A hash of all that the rows and marks of a workbook depend on. */
function sourceOf(made: Omit<ToWrite, 'path'> & { read: number }): string {
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/** Where it stands from what a workbook was made. */
function sourceFile(path: string): string {
  return `${path}.made-from`;
}

/** Whether a workbook is there and says what is to be said. One of an earlier version is, when it is newer than the reports beside it. */
async function isMadeFrom(from: string, path: string): Promise<boolean> {
  const its = (file: string) => stat(file).catch(() => null);
  const workbook = await its(path);
  if (workbook === null) return false;
  const made = await readFile(sourceFile(path), 'utf8').catch(() => null);
  if (made !== null) return made === from;
  const report = await its(join(dirname(path), 'report.csv'));
  return report !== null && workbook.mtimeMs >= report.mtimeMs;
}

function goneText({ id, bytes_pruned_at: at }: RunRow): string {
  const why = at === null ? '' : `: it was pruned on ${moment(at)} (keep.deliveries)`;
  return `has no archived delivery any more${why}. \`offerline report ${id} --format csv\` still has what was found in it.`;
}

/** The name of the file that was read, without its ending and without what a file's name cannot have. */
function stemOf({ entry, delivery_name: name, feed }: RunRow): string {
  const stem = (entry ?? name ?? feed).replace(/^.*[/\\]/, '').replace(/\.\w{1,5}$/, '');
  return (
    stem
      .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, '_')
      .slice(0, 80)
      .trim() || feed
  );
}
