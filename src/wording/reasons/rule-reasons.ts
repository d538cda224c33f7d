import type { EmptiedColumn, LeftOutBy, RuleNumbers } from '../../model.ts';
import { counted, grouped, percent } from '../words.ts';

/**
 * A column that a rule asks for and a file does not have, or has several times; `isSeen`: it is that of prices or of stock; `file`: of several
 * files, the one that lacks what others have.
 */
export type RuleColumnProblem = {
  rule: string;
  column: string;
  isSeen: boolean;
  isMissing: boolean;
  found: string[];
  file?: string;
};

/** Why a file is held whose columns do not fit a rule; no full stop at its end. */
export function ruleColumnText(
  { rule, column, isSeen, isMissing, found, file }: RuleColumnProblem,
  feed = 'NAME',
): string {
  const what = isSeen ? `the column of ${column === 'price' ? 'prices' : 'stock'}` : `the column "${column}"`;
  const lacks =
    file === undefined
      ? 'this file does not have'
      : `${JSON.stringify(file)} does not have, unlike others of its delivery`;
  const has = isMissing ? `which ${lacks}` : 'which this file has several times';
  const columns =
    found.length === 0 ? '' : `. ${isMissing ? 'Its columns' : 'These may be meant'}: ${found.join(', ')}`;
  const name = isSeen
    ? `Name it under feeds.${feed}.signals.${column}`
    : `Name the column as the supplier does, or by its position, in feeds.${feed}.rules`;
  const mend = file === undefined ? name : 'Ask the supplier for it in each file, under one name';
  return `The rule "${rule}" asks for ${what}, ${has}${columns}. ${mend}, or switch the rule off for this feed with { name: ${JSON.stringify(rule)}, off: true }`;
}

/** Why a file is held of which rules cannot read the numbers; no full stop at its end. */
export function ruleNumbersText({ column, rows, unreadable }: RuleNumbers): string {
  return (
    `rules compare the column "${column}" as a number, and ${grouped(unreadable)} of its ${counted(rows, 'value')} ` +
    `(${percent(unreadable / rows)}) cannot be read as one: rows may stay or go by mistake. If that is right, approve it`
  );
}

/** Why a file is held in which a column that rules compare as a number is empty by now; no full stop at its end. */
export function ruleEmptiedText({ column, rows, empty, before }: EmptiedColumn): string {
  const share = (of: { rows: number; empty: number }) =>
    `${grouped(of.empty)} of ${counted(of.rows, 'row')} (${percent(of.empty / of.rows)})`;
  return (
    `rules compare the column "${column}" as a number, and it is empty in ${share({ rows, empty })}; of the delivery that was verified ` +
    `last it was in ${share(before)}: parts that rules left out may go live. If that is right, approve it`
  );
}

/** What was left out by each rule: `no stock 12, used parts 3`. */
export function leftOutText(leftOut: LeftOutBy[]): string {
  return leftOut.map(({ rule, rows }) => `${rule} ${grouped(rows)}`).join(', ');
}
