import type { Issue } from '../../model.ts';
import { createIssue } from './create-issue.ts';

/** A column that is seen and not uploaded, and cannot be used; `column`: the key of its setting. */
type Problem = { column: string; isMissing: boolean; wanted: string; found: string };

/** That a column of `signals` is set and not there, or could be several; `line` is that of the header. Pure. */
export function signalIssue({ column, isMissing, wanted, found }: Problem, line: number): Issue {
  const place = { line, column };
  const facts = { wanted, found };
  return isMissing ? createIssue('signal-missing', place, facts) : createIssue('signal-ambiguous', place, facts);
}
