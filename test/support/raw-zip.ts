import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a zip archive that is written byte by byte, so that every field can lie. */
export type RawEntry = {
  name: string | Buffer;
  data?: string | Buffer;
  stored?: boolean;
  flags?: number;
  method?: number;
  crc?: number;
  declaredSize?: number;
  attributes?: number;
  /** Points at another entry's packed bytes. */
  offset?: number;
  /** Checksum and sizes follow the data, as streaming packers write them; `unsigned` without the signature. */
  descriptor?: 'signed' | 'unsigned';
  /** Sizes and offset are in a 64-bit extra field. */
  zip64?: boolean;
  /** Extra fields of the central directory. */
  extra?: Buffer;
  comment?: string;
};

const STREAMED = 0x08;
const IN_ZIP64 = 0xffffffff;

/** Writes a zip archive with the given entries, true where nothing else is asked for. */
export function rawZip(entries: RawEntry[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { local, central } = prepare(entry, entry.offset ?? at);
    centrals.push(central);
    if (entry.offset === undefined) at += locals.push(local) && local.length;
  }
  const central = Buffer.concat(centrals);
  const zip64 = entries.some((entry) => entry.zip64) ? zip64End(entries.length, central.length, at) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(zip64.length > 0 ? 0xffff : entries.length, 8);
  end.writeUInt16LE(zip64.length > 0 ? 0xffff : entries.length, 10);
  end.writeUInt32LE(zip64.length > 0 ? IN_ZIP64 : central.length, 12);
  end.writeUInt32LE(zip64.length > 0 ? IN_ZIP64 : at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, central, zip64, end, Buffer.from(comment)]);
}

/** An extra field: its number, its length, its bytes. */
export function extraField(id: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

function prepare(entry: RawEntry, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name);
  const data = Buffer.from(entry.data ?? '');
  const packed = entry.stored ? data : deflateRawSync(data);
  const crc = entry.crc ?? crc32(data);
  const size = entry.declaredSize ?? data.length;
  const numbers = sizeField([size, packed.length, offset]);
  const extra = Buffer.concat([entry.extra ?? Buffer.alloc(0), ...(entry.zip64 ? [extraField(1, numbers)] : [])]);
  const header = (sizes: { crc: number; packed: number; size: number }, extraLength: number) => {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(entry.zip64 ? 45 : 20, 0);
    fields.writeUInt16LE((entry.flags ?? 0) | (entry.descriptor === undefined ? 0 : STREAMED), 2);
    fields.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
    fields.writeUInt32LE(sizes.crc, 10);
    fields.writeUInt32LE(sizes.packed, 14);
    fields.writeUInt32LE(sizes.size, 18);
    fields.writeUInt16LE(name.length, 22);
    fields.writeUInt16LE(extraLength, 24);
    return fields;
  };
  const known = { crc, packed: packed.length, size };
  const inside = entry.descriptor === undefined ? known : { crc: 0, packed: 0, size: 0 };
  const described = entry.zip64 ? { crc, packed: IN_ZIP64, size: IN_ZIP64 } : known;
  const tail = Buffer.alloc(14);
  tail.writeUInt16LE(entry.comment?.length ?? 0, 0);
  tail.writeUInt32LE(entry.attributes ?? 0, 6);
  tail.writeUInt32LE(entry.zip64 ? IN_ZIP64 : offset, 10);
  const head = Buffer.from('PK\x01\x02\x14\x03');
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04'), header(inside, 0), name, packed, descriptorOf(entry, known)]),
    central: Buffer.concat([
      head,
      header(described, extra.length),
      tail,
      name,
      extra,
      Buffer.from(entry.comment ?? ''),
    ]),
  };
}

function descriptorOf({ descriptor }: RawEntry, { crc, packed, size }: { crc: number; packed: number; size: number }) {
  if (descriptor === undefined) return Buffer.alloc(0);
  const fields = Buffer.alloc(12);
  fields.writeUInt32LE(crc, 0);
  fields.writeUInt32LE(packed, 4);
  fields.writeUInt32LE(size, 8);
  return Buffer.concat([Buffer.from(descriptor === 'signed' ? 'PK\x07\x08' : ''), fields]);
}

function sizeField(numbers: number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), 8 * index);
  return bytes;
}

/** The end of the central directory in 64 bits, and the record that says where it is. */
function zip64End(entries: number, centralLength: number, centralAt: number): Buffer {
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  sizeField([entries, entries, centralLength, centralAt]).copy(end, 24);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(centralAt + centralLength), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}
