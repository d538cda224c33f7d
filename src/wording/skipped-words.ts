import type { SkipKind, SkippedRows } from '../model.ts';
import { counted } from './words.ts';

/** What lines that are no offers are, one and several of them. */
const NAMES: Record<SkipKind, [string, string]> = {
  preamble: ['line above the table', 'lines above the table'],
  blank: ['blank line', 'blank lines'],
  'lone-cell': ['heading or note', 'headings and notes'],
  total: ['total', 'totals'],
  'repeated-header': ['repeated header', 'repeated headers'],
};
const SHOWN = 3;
const LONGEST = 60;

/** The kinds of skipped lines with their first examples: `12 headings and notes, such as line 4 [Brakes]`. */
export function skippedLines(skipped: SkippedRows[]): string[] {
  return skipped.map((kind) => {
    const found = examplesOf(kind);
    return `${skippedCount(kind)}${found === '' ? '' : `, such as ${found}`}`;
  });
}

/** How many lines of a kind were skipped. */
export function skippedCount({ kind, rows }: SkippedRows): string {
  const [one, several] = NAMES[kind];
  return counted(rows, one, several);
}

/** The first lines of a kind; of blank ones there is nothing to show. */
export function examplesOf({ kind, examples }: SkippedRows): string {
  if (kind === 'blank') return '';
  return examples
    .slice(0, SHOWN)
    .map(
      ({ line, value }) =>
        `line ${line} [${value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value}]`,
    )
    .join(', ');
}
