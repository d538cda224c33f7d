import { openTextWriter } from '../../../io/text-writer.ts';
import { againOfTables } from '../../../validate/checks/rows-of-tables.ts';
import { createIssueLog } from '../../../validate/issues/issue-log.ts';
import { withOriginalRows } from '../original-rows.ts';
import { ownParts, type ListedRows, type RepeatedInput } from './put-upon.ts';

const FLUSHED = 10_000;

/** Lists rows of changes that do not count, with the cells that the supplier wrote. Throws as `withOriginalRows`, and `disk-full`. */
export async function listRepeated({ repeated, issues, names, ...original }: RepeatedInput): Promise<ListedRows> {
  const { path, layout } = issues;
  const tables = ownParts(original.detection.parts);
  await using writer = layout === null ? null : await openTextWriter(path, { append: true });
  const log = createIssueLog(writer ?? { write: () => undefined }, { layout, tables, names });
  const partAt = ['brand', 'oem'].map((key) => names.indexOf(key)).filter((at) => at !== -1);
  // A row of several numbers is one.
  const last = new Map(Array.from(repeated.lines, (line, at): [number, number] => [line, repeated.last[at]!]));
  await withOriginalRows({ ...original, lines: [...last.keys()] }, async ({ rows }) => {
    let count = 0;
    for await (const { line, cells } of rows) {
      const part = partAt.map((at) => cells[at]?.trim() ?? '').join(' ');
      log.add(againOfTables(tables, { line, part, last: last.get(line)! }), cells);
      count += 1;
      if (count % FLUSHED === 0) await writer?.flush();
    }
  });
  await writer?.flush();
  return { counts: log.counts, sample: log.sample };
}
