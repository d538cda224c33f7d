import type { Severity } from '../model.ts';
import type { ReportInput, StoredIssue } from './input.ts';

/** All issues of one code: how many, and the first of them. */
export type IssueDigest = {
  code: string;
  title: string;
  description: string;
  severity: Severity;
  count: number;
  examples: StoredIssue[];
};

/** Examples of a code that are kept. */
const EXAMPLES = 5;

/** The issues of a run by code, errors before warnings, the most frequent first. Reads only as far as examples are wanted. */
export async function digestIssues(input: Pick<ReportInput, 'answer' | 'issues' | 'kinds'>): Promise<IssueDigest[]> {
  const counts = input.answer.issues;
  const examples = new Map<string, StoredIssue[]>(Object.keys(counts).map((code) => [code, []]));
  let wanted = Object.values(counts).reduce((sum, count) => sum + Math.min(count, EXAMPLES), 0);
  if (wanted === 0) return [];
  for await (const issue of input.issues()) {
    const known = examples.get(issue.code);
    if (known === undefined || known.length === EXAMPLES) continue;
    known.push(issue);
    if (--wanted === 0) break;
  }
  return [...examples]
    .map(([code, found]) => ({
      code,
      title: input.kinds[code]?.title ?? code,
      description: input.kinds[code]?.description ?? '',
      severity: found[0]?.severity ?? 'error',
      count: counts[code] ?? 0,
      examples: found,
    }))
    .sort(bySeverityThenCount);
}

function bySeverityThenCount(a: IssueDigest, b: IssueDigest): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  return b.count - a.count || a.code.localeCompare(b.code);
}
