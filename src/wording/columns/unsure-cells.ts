import { yamlName } from './unsure-columns.ts';
import { placeWords } from '../files/place.ts';

/**
 * What is not certain about cells that hold several values. `numbers`: they hold several article numbers, parted by `marks`; `tags`: one
 * of two marks stands between tags, the likelier first, where a blank is one that only a setting makes a mark; `brand-number` and
 * `number-name`: they hold the values of two columns, of which one is missing.
 */
export type UnsureCells = {
  kind: 'numbers' | 'tags' | 'brand-number' | 'number-name';
  marks: string[];
  /** The name or position of the column, where a setting has to say which it is. */
  column: string | number | null;
  evidence: string;
  example: { file?: string | undefined; sheet: string | null; line: number | null; value: string };
};

/** Why a file is not read although its columns are known, and the setting that would have it read; no full stop at its end. */
export function unsureCellsText(unsure: UnsureCells, feed = 'NAME'): string {
  const { kind, marks, evidence, example } = unsure;
  const { file, sheet, line, value } = example;
  const where = line === null ? 'further down' : placeWords({ file, sheet, line });
  const shown = `${JSON.stringify(value)} (${where})`;
  const setting = `${cellsSettings(unsure)
    .map((line) => `\`${line}\``)
    .join(' and ')} under feeds.${feed}`;
  if (kind === 'numbers') {
    return (
      `Cells hold several article numbers, such as ${shown}: ${evidence}. To make an offer of each number, write ${setting}; ` +
      '`first` in place of `each` takes the first number alone, and `whole` leaves the cells as they are'
    );
  }
  if (kind !== 'tags') {
    const [what, missing] =
      kind === 'brand-number' ? ['a brand and a number', 'brands'] : ['a number and a name', 'names'];
    return `There is no column of ${missing}, and cells hold ${what}, such as ${shown}: ${evidence}. To take them apart, write ${setting}${AS_THEY_ARE[kind]}`;
  }
  const [first = '', second = ''] = marks;
  const other = `\`tags: { separator: ${JSON.stringify(second)} }\``;
  return (
    `It is not certain what stands between tags: ${markName(first)} or ${markName(second)} (${evidence}). Look at ${shown}, then write ` +
    `${setting} if it is ${markName(first)}, or ${other} if it is ${markName(second)}`
  );
}

/** What leaves such cells as they are. */
const AS_THEY_ARE = {
  'brand-number': '',
  'number-name': '; to leave them as they are, write `numbers: { take: whole }`',
};

/** The lines of YAML that say what such cells mean: `numbers: { separator: ",", take: each }`. */
export function cellsSettings({ kind, marks, column }: UnsureCells): string[] {
  const written = marks.map((mark) => JSON.stringify(mark));
  if (kind === 'tags') return [`tags: { separator: ${written[0]} }`];
  if (kind === 'numbers') {
    return [`numbers: { separator: ${written.length === 1 ? written[0] : `[${written.join(', ')}]`}, take: each }`];
  }
  const where = typeof column === 'string' ? yamlName(column) : column;
  return [...(where === null ? [] : [`columns: { oem: ${where} }`]), `numbers: { split: ${kind} }`];
}

/** A mark as people read it. */
export function markName(mark: string): string {
  if (mark === '\n') return 'a line break';
  return mark === ' ' ? 'a blank' : JSON.stringify(mark);
}
