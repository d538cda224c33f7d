import { createUnwrap } from '../../columns/unwrap.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Condition, LeftOutBy, RowRule, RuleAccount, Wraps } from '../../model.ts';
import { createSpeller } from '../../parts/spellings.ts';
import { withLineBreaks } from '../../values/line-breaks.ts';
import { cleanCell } from '../checks/clean-cell.ts';
import { askedIn, createFields, type RuleFieldReader } from './fields.ts';
import { createLeaf, type Leaf } from './leaves.ts';

/** A row of which conditions ask: whether a leaf is true of it. */
export type AskedRow = { isTrue: (leaf: Leaf) => boolean };

/** A condition that can be asked of rows. */
type Asked = (row: AskedRow) => boolean;

/** A condition with what asks single cells in place of its questions. */
export type AskingCondition =
  { all: AskingCondition[] } | { any: AskingCondition[] } | { not: AskingCondition } | { leaf: Leaf };

/** The rules of a feed, ready for rows. */
export type PreparedRules = {
  rules: RowRule[];
  /** When each rule acts, and as what asks it. */
  conditions: AskingCondition[];
  when: Asked[];
  /** What conditions ask, and of which of the fields. */
  leaves: Leaf[];
  fields: RuleFieldReader[];
  /** Whether no rule asks for what one before it changes: then changes may wait until all rules were asked. */
  mayWait: boolean;
  settings: ReadSettings;
};

/**
 * What rules did to rows, added up: for each rule the rows on which it acted, and those whose tags were full; then for each field that is
 * compared as a number the cells, those that are no numbers, and those that are empty.
 */
export type RuleCounts = number[];

/** Where the counts of a field begin that is compared as a number; without such a field, where all counts end. */
export function countsOfNumber(rules: RowRule[], numberAt: number): number {
  return rules.length * 2 + numberAt * 3;
}

/** Prepares the rules of a feed for a file whose columns are known; null where there are none. */
export function prepareRules(settings: ReadSettings, wraps: Wraps): PreparedRules | null {
  const { rules, rulePlan } = settings;
  if (rules.length === 0 || rulePlan === undefined) return null;
  const spell = createSpeller(settings.spellings);
  const fields = createFields(rules, settings, rulePlan, (place) => plainCell(wraps, place));
  const leaves: Leaf[] = [];
  const prepare = (condition: Condition): AskingCondition => {
    if ('all' in condition) return { all: condition.all.map(prepare) };
    if ('any' in condition) return { any: condition.any.map(prepare) };
    if ('not' in condition) return { not: prepare(condition.not) };
    const field = fields.findIndex((one) => one.isOf(condition.field));
    const leaf = createLeaf(condition.asks, { field, number: leaves.length, as: fields[field]!.as, spell });
    leaves.push(leaf);
    return { leaf };
  };
  const conditions = rules.map(({ when }) => prepare(when));
  return { rules, conditions, when: conditions.map(ask), leaves, fields, mayWait: mayWait(rules), settings };
}

function ask(condition: AskingCondition): Asked {
  if ('all' in condition) {
    const all = condition.all.map(ask);
    return (row) => {
      for (let at = 0; at < all.length; at += 1) if (!all[at]!(row)) return false;
      return true;
    };
  }
  if ('any' in condition) {
    const any = condition.any.map(ask);
    return (row) => {
      for (let at = 0; at < any.length; at += 1) if (any[at]!(row)) return true;
      return false;
    };
  }
  if ('not' in condition) {
    const inner = ask(condition.not);
    return (row) => !inner(row);
  }
  const { leaf } = condition;
  return (row) => row.isTrue(leaf);
}

function mayWait(rules: RowRule[]): boolean {
  return rules.every((rule, at) => {
    if (rule.does === 'leave-out') return true;
    const { add, remove, set } = rule;
    const changed = [
      ...(add.length + remove.length > 0 ? ['tags'] : []),
      ...(set.name === undefined ? [] : ['name']),
      ...(set.brand === undefined ? [] : ['brand']),
    ];
    return askedIn(rules.slice(at + 1)).every(({ field }) => typeof field === 'object' || !changed.includes(field));
  });
}

/** A cell of the supplier as conditions see it: without what is written around it, on one line. */
function plainCell(wraps: Wraps, place: number): (cell: string) => string {
  const unwrap = createUnwrap(wraps, place);
  return (cell) => cleanCell(withLineBreaks(unwrap(cell)?.text ?? cell)).text;
}

/** The rows that each rule left out, of those that left out any. */
export function leftOutBy(account: RuleAccount | null | undefined): LeftOutBy[] {
  const leaving = (account?.rules ?? []).filter(({ does, rows }) => does === 'leave-out' && rows > 0);
  return leaving.map(({ rule, rows }) => ({ rule, rows }));
}

/** Adds what rules did to other rows. */
export function addRuled(counts: RuleCounts, more: RuleCounts): void {
  // Counts of what never happened are missing.
  for (let at = 0; at < more.length; at += 1) counts[at] = (counts[at] ?? 0) + (more[at] ?? 0);
}

/** What the counts say of the rules. */
export function ruleAccount(counts: RuleCounts, settings: ReadSettings): RuleAccount | null {
  const { rules, rulePlan } = settings;
  if (rules.length === 0 || rulePlan === undefined) return null;
  return {
    rules: rules.map(({ name, does }, at) => ({
      rule: name,
      does,
      rows: counts[at * 2] ?? 0,
      full: counts[at * 2 + 1] ?? 0,
    })),
    numbers: createFields(rules, settings, rulePlan, () => (cell) => cell)
      .filter(({ isNumber }) => isNumber)
      .map(({ name, numberAt }) => {
        const at = countsOfNumber(rules, numberAt);
        const [rows = 0, unreadable = 0, empty = 0] = counts.slice(at, at + 3);
        return { column: name, rows, unreadable, empty };
      }),
  };
}
