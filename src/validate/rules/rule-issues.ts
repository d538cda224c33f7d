import type { Issue, RuleAccount } from '../../model.ts';
import { counted } from '../../wording/words.ts';
import { createIssue } from '../issues/create-issue.ts';

/** What rules changed, an issue for each that did. Pure. */
export function ruleIssues(account: RuleAccount | null): Issue[] {
  const changing = (account?.rules ?? []).filter(({ does, rows }) => does === 'change' && rows > 0);
  return changing.map(({ rule, rows, full }) => {
    const lacking = full === 0 ? '' : `; ${counted(full, 'row')} of these had no room for all tags that it adds`;
    return createIssue('rule-changed', { line: null }, { rule, rows: counted(rows, 'row'), full: lacking });
  });
}
