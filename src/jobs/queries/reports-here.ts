import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { systemCode } from '../../errors.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RunAnswer } from '../../model.ts';
import { reportsIn, type ReportPaths } from '../../report/write.ts';

/** A folder for what is written for people about a run. Each machine has its own: what is missing there is written again when asked. */
export function reportFolder(run: string, { home }: Pick<Context, 'home'>): string {
  return join(home, 'reports', run);
}

/** Where the reports of a run are on this machine, or would be. */
export function reportPaths(run: string, ctx: Pick<Context, 'home'>): ReportPaths {
  return reportsIn(reportFolder(run, ctx));
}

/** What the reports of a run say that are here; null where there are none. The three are written together, the JSON last. */
export async function reportHere(run: string, ctx: Pick<Context, 'home'>): Promise<Record<string, unknown> | null> {
  const text = await readFile(reportPaths(run, ctx).json, 'utf8').catch(unlessNone);
  try {
    const said = JSON.parse(text ?? 'null') as unknown;
    return typeof said === 'object' ? (said as Record<string, unknown> | null) : null;
  } catch {
    // Half a file is none.
    return null;
  }
}

function unlessNone(error: unknown): null {
  if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
  return null;
}

/** What a run came to. What else an answer has changes without a new report. */
const ENDED = [
  'outcome',
  'cause',
  'finishedAt',
  'delivery',
  'rows',
  'dataset',
  'upload',
  'receipt',
  'issues',
  'rejectionsTotal',
] as const satisfies (keyof RunAnswer)[];

/** Whether the reports that are here say what a run came to: another machine may have written newer ones since. */
export async function isReportedHere(answer: RunAnswer, ctx: Pick<Context, 'home'>): Promise<boolean> {
  const here = await reportHere(answer.run, ctx);
  return here !== null && isDeepStrictEqual(endIn(here), endIn(answer));
}

function endIn(answer: Partial<Record<(typeof ENDED)[number], unknown>>): unknown {
  return JSON.parse(JSON.stringify(ENDED.map((key) => answer[key] ?? null)));
}

/** Where an answer says that the reports of a run are; null while none were written. */
export function shownReports({ id, reports }: Pick<RunRow, 'id' | 'reports'>, ctx: Pick<Context, 'home'>) {
  return reports === null ? null : reportPaths(id, ctx);
}
