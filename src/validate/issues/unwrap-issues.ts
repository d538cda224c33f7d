import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { WRAP_KINDS, type WrapKind } from '../../columns/unwrap.ts';
import type { ColumnWrap, Detection, Issue } from '../../model.ts';
import { counted } from '../../wording/words.ts';
import { createIssue, type Place } from './create-issue.ts';

type Found = { count: number; kind: WrapKind; wrap: ColumnWrap | undefined };

/** The configured columns and where they are, and how the file is written. */
type Read = {
  columns: Pick<ColumnSettings, 'key'>[];
  places: (number | null)[];
  detection: Pick<Detection, 'wraps' | 'header' | 'headerLine'>;
};

/**
 * What was taken off the values of a file, an issue for each column and kind: `counts` has those of the first column, then those of
 * the next. Pure.
 */
export function unwrapIssues(counts: number[], { columns, places, detection }: Read): Issue[] {
  const { wraps, header, headerLine } = detection;
  const line = header ? headerLine : null;
  return columns.flatMap(({ key }, column) => {
    const wrap = wraps.columns.find(({ position }) => position - 1 === places[column]);
    return WRAP_KINDS.flatMap((kind, at) => {
      const count = counts[column * WRAP_KINDS.length + at] ?? 0;
      return count === 0 ? [] : [issueOf({ line, column: key }, { count, kind, wrap })];
    });
  });
}

/** Adds counts to others. */
export function addUnwrapped(counts: number[], more: number[]): void {
  for (const [at, count] of more.entries()) counts[at] = (counts[at] ?? 0) + count;
}

function issueOf(place: Place, { count, kind, wrap }: Found): Issue {
  if (kind === 'tags') return createIssue('tags-dropped', place, { values: counted(count, 'value') });
  if (kind === 'spelling') return createIssue('brand-spelled', place, { rows: counted(count, 'row') });
  return createIssue('values-unwrapped', place, { what: whatOf({ count, kind, wrap }) });
}

function whatOf({ count, kind, wrap }: Found & { kind: Exclude<WrapKind, 'tags' | 'spelling'> }): string {
  const [values, numbers] = [counted(count, 'value'), counted(count, 'number')];
  switch (kind) {
    case 'backslashes':
      return String.raw`${values} had the backslashes of a database (\N, \t, \")`;
    case 'formula':
      return `${values} stood in a formula, as in ="0012"`;
    case 'markup':
      return `${values} had the markup of web pages, as in <b>0012</b> or &amp;`;
    case 'typography':
      return `${values} had wide letters or dashes of typesetting, as in １２–３`;
    case 'pair':
      return `${values} stood between ${wrap?.pair?.join(' and ')}`;
    case 'apostrophe':
      return `${values} began with ${wrap?.lead ?? 'an apostrophe'}`;
    case 'decimals':
      return `${numbers} ended in ${wrap?.decimals}`;
  }
}
