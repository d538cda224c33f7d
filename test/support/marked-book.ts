import exceljs from 'exceljs';

/** A cell of a workbook that stands out: its text, its colour, and its comment. */
export type MarkedCell = { at: string; text: string; color: string; comment: string };

/** A sheet of a workbook as an independent reader sees it: its rows as texts, and the cells with comments. */
export type ReadSheet = { name: string; rows: string[][]; marks: MarkedCell[] };

/** Reads a workbook with another program's reader; fails when a cell is anything but text. */
export async function readBook(path: string): Promise<ReadSheet[]> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook.worksheets.map((sheet) => {
    const read: ReadSheet = { name: sheet.name, rows: [], marks: [] };
    sheet.eachRow({ includeEmpty: true }, (row, number) => {
      const cells: string[] = [];
      row.eachCell({ includeEmpty: true }, (cell, column) => {
        if (cell.value !== null && typeof cell.value !== 'string') throw new Error(`${cell.address} is not a text`);
        cells[column - 1] = cell.value ?? '';
        const comment = noteOf(cell);
        if (comment !== '')
          read.marks.push({ at: cell.address, text: cells[column - 1]!, color: colorOf(cell), comment });
      });
      read.rows[number - 1] = cells;
    });
    return read;
  });
}

/** The text of a cell's comment. */
export function noteOf(cell: exceljs.Cell): string {
  const note = cell.note as exceljs.Cell['note'] | undefined;
  if (note === undefined) return '';
  return typeof note === 'string' ? note : (note.texts ?? []).map(({ text }) => text).join('');
}

function colorOf({ fill }: exceljs.Cell): string {
  const color = fill.type === 'pattern' ? fill.fgColor?.argb : undefined;
  return color === 'FFFFC7CE' ? 'red' : color === 'FFFFEB9C' ? 'yellow' : 'none';
}
