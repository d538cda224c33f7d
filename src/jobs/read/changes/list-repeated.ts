import { openTextWriter } from '../../../io/text-writer.ts';
import { againOfTables } from '../../../validate/checks/rows-of-tables.ts';
import { createIssueLog } from '../../../validate/issues/issue-log.ts';
import { takenNumbers } from '../../../validate/marks/several-numbers.ts';
import { withLineBreaks } from '../../../values/line-breaks.ts';
import { withOriginalRows } from '../original-rows.ts';
import { ownParts, type ListedRows, type RepeatedInput } from './put-upon.ts';

/** So many characters of rows are in memory before they are written. */
const FLUSHED = 1_000_000;

/**
 * Lists rows of changes that do not count, with the cells that the supplier wrote: of a cell with several numbers each one that a later row has.
 * Throws as `withOriginalRows`, and `disk-full`.
 */
export async function listRepeated({ repeated, issues, names, ...original }: RepeatedInput): Promise<ListedRows> {
  const { path, layout } = issues;
  const { lines, last, numbers } = repeated;
  const tables = ownParts(original.detection.parts);
  await using writer = layout === null ? null : await openTextWriter(path, { append: true });
  const log = createIssueLog(writer ?? { write: () => undefined }, { layout, tables, names });
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => names.indexOf(key)) as [number, number];
  const writtenNumber = (cells: string[], at: number) => {
    const cell = cells[oemAt]?.trim() ?? '';
    const isOne = numbers === null || takenNumbers(withLineBreaks(cell), original.settings) === null;
    return isOne ? cell : numbers[at]!;
  };
  // Each row is written as soon as it is read.
  const wanted = { ...original, lines: [...new Set(lines)], most: Infinity };
  await withOriginalRows(wanted, async ({ rows }) => {
    let [at, kept] = [0, 0];
    for await (const { line, cells } of rows) {
      const length = cells.reduce((sum, cell) => sum + cell.length, 0);
      for (; at < lines.length && lines[at]! <= line; at += 1) {
        if (lines[at] !== line) continue;
        const part = `${cells[brandAt]?.trim() ?? ''} ${writtenNumber(cells, at)}`.trim();
        log.add(againOfTables(tables, { line, part, last: last[at]! }), cells);
        kept += length;
        if (kept < FLUSHED) continue;
        await writer?.flush();
        kept = 0;
      }
    }
  });
  await writer?.flush();
  return { counts: log.counts, sample: log.sample };
}
