import { closeSync, createWriteStream, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import yazl from 'yazl';
import { SEVERAL_FILES } from '../../src/pull/unpack/several-files.ts';

export const LIST = 'list.csv';
export const STOCK = 'stock.csv';

const BRANDS = ['ATE', 'BOSCH', 'TRW', 'SKF', 'VALEO', 'LUK', 'SACHS'];

/**
 * Writes a list of parts with names, and a stock file that has nine tenths of them in another order, with other spellings, and as many as that
 * is short of that the list lacks; and both as one delivery. The same at every run.
 */
export async function generateFiles(rows: number, folder: string): Promise<void> {
  writeRows(
    `${folder}/${LIST}`,
    'brand;oem;name\n',
    rows,
    (at) => `${BRANDS[at % BRANDS.length]};${spaced(at)};Brake pad set ${at % 1000}\n`,
  );
  const step = 7919;
  writeRows(`${folder}/${STOCK}`, 'Artikelnummer;Bestand;Preis\n', rows, (at) => {
    const part = (at * step) % rows;
    const number = part % 10 === 0 ? part + rows : part;
    return `${plain(number)};${part % 40};${(part % 90_000) / 100}\n`;
  });
  const zip = new yazl.ZipFile();
  for (const name of [LIST, STOCK]) zip.addFile(`${folder}/${name}`, name, { compress: false });
  zip.end({ comment: SEVERAL_FILES, forceZip64Format: false });
  const target = createWriteStream(`${folder}/delivery.zip`);
  zip.outputStream.pipe(target);
  await once(target, 'close');
}

function plain(part: number): string {
  return String(part).padStart(10, '0');
}

function spaced(part: number): string {
  const number = plain(part);
  return part % 2 === 0
    ? `${number.slice(0, 1)} ${number.slice(1, 4)} ${number.slice(4, 7)} ${number.slice(7)}`
    : number;
}

function writeRows(path: string, header: string, rows: number, rowOf: (at: number) => string): void {
  const file = openSync(path, 'w');
  let text = header;
  for (let at = 0; at < rows; at += 1) {
    text += rowOf(at);
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
}
