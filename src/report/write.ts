import { join } from 'node:path';
import { replaceFile } from '../io/replace-file.ts';
import { csvReport } from './csv.ts';
import { findRows, htmlReport } from './html.ts';
import type { ReportInput } from './input.ts';

/** Where the reports of a run are. */
export type ReportPaths = { html: string; csv: string; json: string };

/** Where the three reports are in a folder. */
export function reportsIn(folder: string): ReportPaths {
  return {
    html: join(folder, 'report.html'),
    csv: join(folder, 'report.csv'),
    json: join(folder, 'report.json'),
  };
}

/**
 * Writes the three reports of a run into a folder and answers with their paths. Each file appears whole or not at all, the
 * JSON last, and writing them again replaces them. Throws `disk-full`, and what the streams throw.
 */
export async function writeReports(input: ReportInput, folder: string): Promise<ReportPaths> {
  const paths = reportsIn(folder);
  await replaceFile(paths.csv, csvReport(input));
  // All that is stored was read for it.
  const answer = { ...input.answer, unreadable: [...input.unreadable], reports: paths };
  await writePage({ ...input, answer }, paths.html);
  await replaceFile(paths.json, [jsonReport({ answer, events: input.events })]);
  return paths;
}

/** Writes the page of a run alone, where a path says. Throws `disk-full`, and what the streams throw. */
export async function writePage(input: ReportInput, path: string): Promise<void> {
  const found = await findRows(input);
  const answer = { ...input.answer, unreadable: [...input.unreadable] };
  await replaceFile(path, [htmlReport({ ...input, answer }, found)]);
}

/** The JSON report: the run's answer as `show --json` gives it, with its timeline under `events`. */
function jsonReport({ answer, events }: Pick<ReportInput, 'answer' | 'events'>): string {
  return `${JSON.stringify({ ...answer, events }, null, 2)}\n`;
}
