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
};

/** Writes a zip archive with the given entries, true where nothing else is asked for. */
export function rawZip(entries: RawEntry[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { fields, name, packed } = prepare(entry);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.alloc(0), name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(entry.attributes ?? 0, 6);
    tail.writeUInt32LE(entry.offset ?? at, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), fields, tail, name]));
    if (entry.offset === undefined) at += locals.push(local) && local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, central, end, Buffer.from(comment)]);
}

function prepare(entry: RawEntry) {
  const name = Buffer.from(entry.name);
  const data = Buffer.from(entry.data ?? '');
  const packed = entry.stored ? data : deflateRawSync(data);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(entry.flags ?? 0, 2);
  fields.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
  fields.writeUInt32LE(entry.crc ?? crc32(data), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(entry.declaredSize ?? data.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return { fields, name, packed };
}
