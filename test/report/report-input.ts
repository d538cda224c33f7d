import type { RunAnswer } from '../../src/model.ts';
import type { ReportInput, StoredIssue, StoredRejection } from '../../src/report/input.ts';
import { NO_DEMAND } from '../../src/parts/demand.ts';
import { openLanguage } from '../../src/wording/language/language.ts';

/** What a report is made from, with the rows that matter to a test; the answer's counts follow from them. */
export function reportInput(
  answer: RunAnswer,
  {
    issues = [],
    rejections = [],
    ...more
  }: { issues?: StoredIssue[]; rejections?: StoredRejection[] } & Partial<
    Omit<ReportInput, 'issues' | 'rejections'>
  > = {},
): ReportInput {
  const counts: Record<string, number> = {};
  for (const { code } of issues) counts[code] = (counts[code] ?? 0) + 1;
  return {
    answer: { ...answer, issues: counts, rejections: rejections.slice(0, 1000), rejectionsTotal: rejections.length },
    reason: answer.reason,
    supplier: 'Nord Teile',
    language: openLanguage('en', 'Europe/Berlin'),
    strip: [],
    change: null,
    demand: NO_DEMAND,
    events: [{ at: answer.createdAt, stage: 'pull', message: 'pulled the file' }],
    unreadable: new Set(answer.unreadable),
    file: 'north.csv',
    issues: () => stream(issues),
    rejections: () => stream(rejections),
    columns: { issues: ['brand', 'oem', 'tags'], rejections: ['oem', 'brand'] },
    timeZone: 'Europe/Berlin',
    ...more,
  };
}

async function* stream<T>(values: T[]): AsyncGenerator<T> {
  yield* values;
}

/** An issue of a row, with what matters to a test changed. */
export function rowIssue(changes: Partial<StoredIssue> = {}): StoredIssue {
  return {
    code: 'too-many-tags',
    sheet: null,
    severity: 'error',
    line: 7,
    column: 'tags',
    value: 'a,b',
    message: '21 tags, but at most 20 are allowed.',
    cells: ['BREMBO', 'P 85 020', 'a,b'],
    ...changes,
  };
}

/** A traced rejection, with what matters to a test changed. */
export function rejectedRow(changes: Partial<StoredRejection> = {}): StoredRejection {
  return {
    sheet: null,
    line: 9,
    file: 'north.csv',
    code: null,
    message: 'unknown brand',
    brand: 'ATE',
    oem: '13.0460',
    match: 'exact',
    cells: ['13.0460', 'ATE'],
    ...changes,
  };
}
