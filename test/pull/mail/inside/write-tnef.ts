type WrittenFile = { title?: string | Buffer; data?: Buffer | string; properties?: Buffer[] };

export const [OBJECT, STRING_8, UNICODE, BINARY] = [0x0d, 0x1e, 0x1f, 0x102];
export const [CONTENT, LONG_NAME] = [0x3701, 0x3707];

/** A winmail.dat as Outlook writes it, with these attachments. */
export function tnefWith(files: WrittenFile[], codePage = 1252): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(0x22_3e_9f_78);
  head.writeUInt16LE(1, 4);
  const attributes = files.flatMap(({ title, data, properties }) => [
    attribute(2, 0x0006_9002, Buffer.alloc(14)),
    ...(title === undefined ? [] : [attribute(2, 0x0001_8010, Buffer.concat([Buffer.from(title), Buffer.alloc(1)]))]),
    ...(data === undefined ? [] : [attribute(2, 0x0006_800f, Buffer.from(data))]),
    ...(properties === undefined
      ? []
      : [attribute(2, 0x0006_9005, Buffer.concat([u32(properties.length), ...properties]))]),
  ]);
  const codePages = Buffer.concat([u32(codePage), u32(0)]);
  return Buffer.concat([
    head,
    attribute(1, 0x0008_9006, u32(0x0001_0000)),
    attribute(1, 0x0006_9007, codePages),
    ...attributes,
  ]);
}

/** An attribute with its length and the sum of its bytes. */
export function attribute(level: number, id: number, value: Buffer): Buffer {
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(value.reduce((total, byte) => (total + byte) & 0xffff, 0));
  return Buffer.concat([Buffer.of(level), u32(id), u32(value.length), value, sum]);
}

/** A property whose value has a length of its own. */
export function property(type: number, id: number, value: Buffer): Buffer {
  return Buffer.concat([tag(type, id), u32(1), padded(value)]);
}

/** A property that has a number, and one with a name in text, such as each mail defines for itself. */
export const OTHERS = [
  Buffer.concat([tag(0x0003, 0x3705), u32(1)]),
  Buffer.concat([tag(0x000b, 0x7ffe), u32(0)]),
  Buffer.concat([
    tag(0x1003, 0x8001),
    Buffer.alloc(16),
    u32(1),
    padded(Buffer.from('Ключ\0', 'utf16le')),
    u32(2),
    u32(7),
    u32(8),
  ]),
  Buffer.concat([tag(0x0040, 0x8002), Buffer.alloc(16), u32(0), u32(5), Buffer.alloc(8)]),
];

function tag(type: number, id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(type);
  bytes.writeUInt16LE(id, 2);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function padded(value: Buffer): Buffer {
  return Buffer.concat([u32(value.length), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}
