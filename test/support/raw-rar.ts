import { crc32 } from 'node:zlib';

/** One file of a RAR archive, which is stored as it is. */
export type RawRarEntry = { name: string; data: string | Buffer; isLink?: true; crc?: number };

const SIGNATURE = Buffer.from('Rar!\x1a\x07\x00', 'latin1');
const UNIX = 3;

/** Writes a RAR archive of the format before RAR 5, in which nothing is packed. */
export function rawRar(entries: RawRarEntry[]): Buffer {
  const main = block(0x73, 0, Buffer.alloc(6));
  const files = entries.flatMap(({ name, data, isLink, crc }) => {
    const bytes = Buffer.from(data);
    const fields = Buffer.alloc(25);
    fields.writeUInt32LE(bytes.length, 0);
    fields.writeUInt32LE(bytes.length, 4);
    fields.writeUInt8(UNIX, 8);
    fields.writeUInt32LE(crc ?? crc32(bytes), 9);
    // 2026-11-29, in the form of DOS.
    fields.writeUInt32LE(0x5d7d_3000, 13);
    fields.writeUInt8(20, 17);
    fields.writeUInt8(0x30, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 19);
    fields.writeUInt32LE(isLink === true ? 0o120777 : 0o100644, 21);
    return [block(0x74, 0x8000, Buffer.concat([fields, Buffer.from(name)])), bytes];
  });
  return Buffer.concat([SIGNATURE, main, ...files, block(0x7b, 0x4000, Buffer.alloc(0))]);
}

function block(type: number, flags: number, fields: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt8(type, 2);
  head.writeUInt16LE(flags, 3);
  head.writeUInt16LE(head.length + fields.length, 5);
  const bytes = Buffer.concat([head, fields]);
  bytes.writeUInt16LE(crc32(bytes.subarray(2)) & 0xffff, 0);
  return bytes;
}
