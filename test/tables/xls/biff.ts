import { CFB } from '@e965/xlsx';
import iconv from 'iconv-lite';

/** A record of a workbook's stream: its type and its bytes. */
export function record(type: number, ...parts: (Buffer | number[])[]): Buffer {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

/** Numbers of 16 bits. */
export function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * at);
  return bytes;
}

/** The beginning of a stream or sheet: 5 is the workbook, 16 a sheet, 32 a chart. */
export function begin(kind: number, version = 0x0500): Buffer {
  return record(0x0809, words(version, kind, 0, 0));
}

export const END = record(0x0a);

/** A text in a cell, as Excel 5 writes it. */
export function label(row: number, column: number, text: string, charset = 'windows-1251'): Buffer {
  const bytes = iconv.encode(text, charset);
  return record(0x0204, words(row, column, 0, bytes.length), bytes);
}

/** The stream of a workbook of Excel 5: its own records, and those of each sheet by its name. */
export function stream5(own: Buffer[], sheets: Record<string, Buffer[]>, charset = 'windows-1251'): Buffer {
  const names = Object.keys(sheets).map((name) => iconv.encode(name, charset));
  const bodies = Object.values(sheets).map((records) => Buffer.concat([begin(16), ...records, END]));
  const bound = (at: number, name: Buffer) => record(0x85, words(at & 0xffff, at >>> 16, 0), [name.length], name);
  const head = (places: number[]) =>
    Buffer.concat([begin(5), ...own, ...names.map((name, index) => bound(places[index] ?? 0, name)), END]);
  let place = head([]).length;
  const places = bodies.map((body) => {
    place += body.length;
    return place - body.length;
  });
  return Buffer.concat([head(places), ...bodies]);
}

/** An OLE container with these streams. */
export function ole(streams: Record<string, Uint8Array>): Buffer {
  const container = CFB.utils.cfb_new({ root: 'R' });
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${name}`, content);
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}
