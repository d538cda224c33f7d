/** Writes as many rows with comments and colours with the streaming writer of exceljs. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import exceljs from 'exceljs';

const [folder = ''] = process.argv.slice(2);
const book = new exceljs.stream.xlsx.WorkbookWriter({ filename: `${folder}/exceljs.xlsx`, useStyles: true });
const sheet = book.addWorksheet('list');
for await (const line of createInterface(createReadStream(`${folder}/list.csv`))) {
  if (!line.startsWith(';')) continue;
  const row = sheet.addRow(line.split(';'));
  const cell = row.getCell(1);
  cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFC7CE' } };
  cell.note = `The brand is missing.\nWrite the maker of the part.\n\nLine ${row.number} of your file`;
  row.commit();
}
await book.commit();
