import { markedSheets, type MarkedInput } from '../../report/marked/sheets.ts';
import { writeWorkbook } from '../../tables/write-xlsx/write-workbook.ts';
import { originalRows, type OriginalInput } from '../read/original-rows.ts';

/** What a workbook with marked rows is made from, and where it goes; plain data, because it runs in a thread. */
export type WriteMarked = {
  path: string;
  original: Omit<OriginalInput, 'lines'>;
  marked: Omit<MarkedInput, 'rows' | 'cut' | 'detection'>;
};

/** Finds the rows of a delivery that have mistakes, and writes them with their mistakes marked. Runs in a thread. */
export async function writeMarked({ path, original, marked }: WriteMarked): Promise<void> {
  const { faults } = marked;
  const lines = [...new Set(faults.faults.map(({ line }) => line))];
  const { rows, cut } = await originalRows({ ...original, lines });
  const { detection } = original;
  await writeWorkbook(path, markedSheets({ ...marked, detection, rows, cut: cut || faults.cut }), 'offerline');
}
