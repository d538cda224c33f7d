import { canDecode, decodeBytes } from '../../../io/text-decode.ts';
import { decodeName } from '../part-name.ts';
import { Cursor, DamagedError, type Entry, MOST_ENTRIES } from './entry.ts';

/*
 * TNEF, in which Outlook sends a mail as one file, winmail.dat (MS-OXTNEF): a list of attributes, each with its length, of which
 * some belong to attachments. The properties of an attachment are such a list again, and a mail that is attached is a TNEF inside.
 */

const SIGNATURE = 0x22_3e_9f_78;
const [OF_MESSAGE, OF_ATTACHMENT] = [1, 2];

/** Attributes, with their types. */
const [CODE_PAGE, NEXT_ATTACHMENT] = [0x0006_9007, 0x0006_9002];
const [TITLE, DATA, PROPERTIES] = [0x0001_8010, 0x0006_800f, 0x0006_9005];

/** Properties of an attachment. */
const [CONTENT, SHORT_NAME, LONG_NAME] = [0x3701, 0x3704, 0x3707];
const KEPT = [CONTENT, SHORT_NAME, LONG_NAME];

/** Types of properties. */
const [OBJECT, STRING_8, UNICODE, BINARY] = [0x000d, 0x001e, 0x001f, 0x0102];
const SEVERAL = 0x1000;
/** Bytes of the types whose values are as long as each other, filled up to four. */
const LENGTHS: Record<number, number> = {
  0x0001: 4,
  0x0002: 2,
  0x0003: 4,
  0x0004: 4,
  0x0005: 8,
  0x0006: 8,
  0x0007: 8,
  0x000a: 4,
  0x000b: 2,
  0x0014: 8,
  0x0040: 8,
  0x0048: 16,
};
const LENGTH_OF = new Map(Object.entries(LENGTHS).map(([type, length]) => [Number(type), length]));

/** An identifier before the bytes of an object, and before the name of a property that has no number. */
const GUID = 16;
const FIRST_NAMED = 0x8000;

type Property = { id: number; type: number; value: Buffer };
type Attachment = { title?: Buffer; data?: Buffer; properties: Property[] };

/** The attachments of a TNEF. Throws `DamagedError`. */
export function readTnef(bytes: Uint8Array): Entry[] {
  const cursor = new Cursor(bytes, 'it');
  if (cursor.left < 6 || cursor.u32() !== SIGNATURE) throw new DamagedError('it does not begin as TNEF');
  cursor.u16();
  const attachments: Attachment[] = [];
  let codePage = 0;
  while (cursor.left > 0) {
    const level = cursor.u8();
    if (level !== OF_MESSAGE && level !== OF_ATTACHMENT) {
      if (isFilling(level, cursor)) break;
      throw new DamagedError(`what stands ${cursor.left + 1} bytes before its end is nothing of TNEF`);
    }
    const attribute = cursor.u32();
    const value = cursor.take(cursor.u32());
    // A sum of the bytes, which some programs write wrong.
    cursor.u16();
    if (attribute === CODE_PAGE && value.length >= 4) codePage = value.readUInt32LE();
    if (level !== OF_ATTACHMENT) continue;
    if (attribute === NEXT_ATTACHMENT) attachments.push({ properties: [] });
    if (attachments.length > MOST_ENTRIES) throw new DamagedError(`it has more than ${MOST_ENTRIES} attachments`);
    const attachment = attachments.at(-1);
    if (attachment === undefined) continue;
    if (attribute === TITLE) attachment.title = value;
    if (attribute === DATA) attachment.data = value;
    if (attribute === PROPERTIES) attachment.properties = propertiesOf(value);
  }
  return attachments.flatMap((attachment) => entryOf(attachment, codePage));
}

/** True for blanks, line ends or zeros behind the last attribute, which are no more than fill up. */
function isFilling(first: number, rest: Cursor): boolean {
  return Buffer.from([first, ...rest.take(Math.min(rest.left, 100))]).every((byte) =>
    [0, 9, 10, 13, 32].includes(byte),
  );
}

/** A picture of the mail's text or a link to a file elsewhere has no bytes. */
function entryOf({ title, data, properties }: Attachment, codePage: number): Entry[] {
  const property = (id: number) => properties.find((one) => one.id === id && one.value.length > 0);
  const content = property(CONTENT);
  const named = [property(LONG_NAME), property(SHORT_NAME)].map((one) => textOf(one, codePage));
  const name =
    named.find((text) => text !== '') ?? textOf({ type: STRING_8, value: title ?? Buffer.alloc(0) }, codePage);
  if (content?.type === OBJECT) {
    const inner = content.value.subarray(GUID);
    if (inner.length >= 4 && inner.readUInt32LE() === SIGNATURE) {
      return [{ name, type: 'application/ms-tnef', disposition: 'attachment', bytes: inner }];
    }
  }
  const bytes = data ?? (content?.type === BINARY ? content.value : undefined);
  const type = 'application/octet-stream';
  return bytes === undefined ? [] : [{ name, type, disposition: 'attachment', bytes }];
}

/** The properties of an attachment that matter: the first value of each, since none of them has several. */
function propertiesOf(bytes: Buffer): Property[] {
  const cursor = new Cursor(bytes, 'a list of properties');
  const properties: Property[] = [];
  for (let count = cursor.u32(); count > 0; count--) {
    const [type, id] = [cursor.u16(), cursor.u16()];
    if (id >= FIRST_NAMED) passName(cursor);
    const kind = type & ~SEVERAL;
    const length = LENGTH_OF.get(kind);
    const isCounted = length === undefined || (type & SEVERAL) !== 0;
    if (length === undefined && ![OBJECT, STRING_8, UNICODE, BINARY].includes(kind)) {
      throw new DamagedError(`a property has the unknown type ${type}`);
    }
    let [value, size]: [Buffer | undefined, number] = [undefined, 0];
    for (let values = isCounted ? cursor.u32() : 1; values > 0; values--) {
      size = length ?? cursor.u32();
      const taken = cursor.take(size);
      value ??= taken;
      cursor.align(size);
    }
    const isKept = KEPT.includes(id) && !properties.some((one) => one.id === id);
    if (isKept && value !== undefined) properties.push({ id, type: kind, value });
  }
  return properties;
}

/** A property whose number each mail gives out itself is told by a number or a text. */
function passName(cursor: Cursor): void {
  cursor.take(GUID);
  const isText = cursor.u32() === 1;
  const length = cursor.u32();
  if (!isText) return;
  cursor.take(length);
  cursor.align(length);
}

/** A text up to the sign that ends it. */
function textOf(property: { type: number; value: Buffer } | undefined, codePage: number): string {
  if (property === undefined) return '';
  const { type, value } = property;
  if (type === UNICODE) return value.toString('utf16le', 0, value.length - (value.length % 2)).split('\0')[0]!;
  if (type !== STRING_8) return '';
  const end = value.indexOf(0);
  const bytes = end < 0 ? value : value.subarray(0, end);
  const charset = codePage === 65_001 ? 'utf-8' : `cp${codePage}`;
  return codePage > 0 && canDecode(charset) ? decodeBytes(bytes, charset) : decodeName(bytes);
}
