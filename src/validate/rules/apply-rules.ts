import type { RowRule } from '../../model.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { AskedCell } from './leaves.ts';
import { countsOfNumber, type PreparedRules, type RuleCounts } from './row-rules.ts';

/** What rules made of a row: left out by one of them, by its place, or with these cells. */
export type Ruled = { leftOutBy: number | null; cells: string[] };

/** Is told of a rule that acts on a row, by the rule's place, with the cells before and after it. */
export type OnRule = (rule: number, before: string[], after: string[]) => void;

/** Applies rules to a row: its cleaned cells, and the cells of the supplier's row. What they did is added to the counts. */
export type ApplyRules = (cells: string[], written: (place: number) => string, onRule?: OnRule) => Ruled;

/** Creates what applies rules to the rows of a file. */
export function createRules(prepared: PreparedRules, counts: RuleCounts): ApplyRules {
  const { rules, when, fields, settings } = prepared;
  return (given, written, onRule) => {
    let cells = given;
    const numbers = new Set<number>();
    const noted = (field: number): void => {
      const { isNumber, numberAt } = fields[field]!;
      if (!isNumber || numbers.has(numberAt)) return;
      numbers.add(numberAt);
      const at = countsOfNumber(rules, numberAt);
      const found = cellOf(field).number();
      counts[at] = (counts[at] ?? 0) + 1;
      if (found.kind === 'unreadable' || found.kind === 'open') counts[at + 1] = (counts[at + 1] ?? 0) + 1;
      else if (found.kind === 'none') counts[at + 2] = (counts[at + 2] ?? 0) + 1;
    };
    const cellOf = (field: number): AskedCell => {
      const { column, place, plain, parse } = fields[field]!;
      const text = place === null ? (cells[column!] ?? '') : plain(written(place));
      return { text, tags: () => tagsIn(text, settings), number: () => parse(text) };
    };
    const row = {
      isTrue: ({ field, test }: PreparedRules['leaves'][number]) => {
        noted(field);
        return test(cellOf(field));
      },
    };
    for (const [at, rule] of rules.entries()) {
      if (!when[at]!(row)) continue;
      counts[at * 2] = (counts[at * 2] ?? 0) + 1;
      if (rule.does === 'leave-out') {
        onRule?.(at, cells, cells);
        return { leftOutBy: at, cells };
      }
      const changed = changeRow(cells, rule, settings);
      onRule?.(at, cells, changed.cells);
      cells = changed.cells;
      if (changed.isFull) counts[at * 2 + 1] = (counts[at * 2 + 1] ?? 0) + 1;
    }
    return { leftOutBy: null, cells };
  };
}

/** What a rule makes of the cells of a row; `isFull`: it has as many tags as are allowed, and got no more. */
export function changeRow(
  cells: string[],
  { add, remove, set }: Extract<RowRule, { does: 'change' }>,
  settings: ReadSettings,
): { cells: string[]; isFull: boolean } {
  const changed = cells.slice();
  let isFull = false;
  for (const [at, { key, list }] of settings.columns.entries()) {
    if (key === 'name' && set.name !== undefined) changed[at] = set.name;
    if (key === 'brand' && set.brand !== undefined) changed[at] = set.brand;
    if (!list || key !== 'tags') continue;
    const kept = tagsIn(changed[at] ?? '', settings).filter((tag) => !remove.some((other) => isSameTag(tag, other)));
    const missing = add.filter((tag) => !kept.some((other) => isSameTag(tag, other)));
    const room = Math.max(0, settings.maxTags - kept.length);
    isFull = missing.length > room;
    changed[at] = kept.concat(missing.slice(0, room)).join(settings.tagSeparator);
  }
  return { cells: changed, isFull };
}

function isSameTag(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** The tags of a cleaned cell. */
function tagsIn(cell: string, { tagSeparator }: Pick<ReadSettings, 'tagSeparator'>): string[] {
  return cell === '' ? [] : cell.split(tagSeparator);
}
