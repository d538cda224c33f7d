import { encodeBytes } from '../../../src/io/text-decode.ts';

/** A dBase table as FoxPro writes it: a row that is deleted, texts, numbers, and no word of its charset unless `driver` is given. */
export function dbf(charset: string, driver = 0): Buffer {
  const fields = [
    ['BRAND', 'C', 8, 0],
    ['ARTIKUL', 'C', 12, 0],
    ['NAIM', 'C', 20, 0],
    ['CENA', 'N', 8, 2],
  ] as const;
  const length = 1 + fields.reduce((sum, [, , bytes]) => sum + bytes, 0);
  const rows = [
    [' ', 'BOSCH', '0986424797', 'Колодки', '   12.50'],
    ['*', 'ATE', '0000', 'Удалённая', '    1.00'],
    [' ', 'ATE', '0001', 'Диск', '    7.00'],
  ];
  const head = Buffer.alloc(33 + 32 * fields.length);
  head.set([3, 126, 11, 27]);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(length, 10);
  head[29] = driver;
  fields.forEach(([name, type, bytes, decimals], at) => {
    head.write(name, 32 + 32 * at, 'latin1');
    head.write(type, 32 + 32 * at + 11, 'latin1');
    head.set([bytes, decimals], 32 + 32 * at + 16);
  });
  head[head.length - 1] = 13;
  const records = rows.map(([mark = '', ...cells]) => {
    const record = Buffer.alloc(length, ' ');
    record.write(mark, 0, 'latin1');
    let at = 1;
    cells.forEach((cell, place) => {
      record.set(encodeBytes(cell, charset), at);
      at += fields[place]![2];
    });
    return record;
  });
  return Buffer.concat([head, ...records, Buffer.from([0x1a])]);
}
