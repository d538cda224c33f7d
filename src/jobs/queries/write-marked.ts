import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../io/replace-file.ts';
import { markedSheets, type MarkedInput } from '../../report/marked/sheets.ts';
import { writeWorkbook } from '../../tables/write-xlsx/write-workbook.ts';
import { withOriginalRows, type OriginalInput } from '../read/original-rows.ts';

/** What a workbook with marked rows is made from, and where it goes; plain data, because it runs in a thread. */
export type WriteMarked = {
  path: string;
  original: Omit<OriginalInput, 'lines'>;
  marked: Omit<MarkedInput, 'rows' | 'cut' | 'detection'>;
};

/** Finds the rows of a delivery that have mistakes, and writes them with their mistakes marked. Runs in a thread. */
export async function writeMarked({ path, original, marked }: WriteMarked): Promise<void> {
  const { detection, folder } = original;
  const lines = [...new Set(marked.faults.faults.map(({ line }) => line))];
  const written = join(folder, 'marked.xlsx');
  await withOriginalRows({ ...original, lines }, async ({ rows, cut }) => {
    const sheets = markedSheets({ ...marked, detection, rows, cut: () => cut() || marked.faults.cut });
    await writeWorkbook(written, sheets, 'offerline');
  });
  await replaceFile(path, createReadStream(written));
}
