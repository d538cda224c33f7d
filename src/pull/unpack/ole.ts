/** A workbook, or what else a container holds, in words. */
export type OleContent = { kind: 'table'; format: 'xls' | 'xlsx' } | { kind: 'binary'; what: string };

/** Bytes of an entry of the container's directory; all of them begin at multiples. */
const ENTRY = 128;
const [NAME_LENGTH_AT, TYPE_AT, CLASS_AT] = [64, 66, 80];
const [STREAM, ROOT] = [2, 5];
const INSTALLER = '84100c0000000000c000000000000046';
/** Streams of a workbook in small letters: case does not matter in a container, and some programs write capitals. */
const WORKBOOK = ['workbook', 'book'];
/** The stream of a newer workbook that is encrypted. */
const ENCRYPTED = 'encryptedpackage';

/** What else containers hold, by a stream of theirs in small letters. */
const OTHERS: { stream: string; what: string }[] = [
  { stream: 'worddocument', what: 'an old Word document; export its table as CSV' },
  { stream: 'powerpoint document', what: 'an old PowerPoint presentation; ask for the price list as CSV' },
  { stream: '__properties_version1.0', what: 'an Outlook message; save its attachment and send that' },
];
const NAMED = new Set([...WORKBOOK, ENCRYPTED, ...OTHERS.map(({ stream }) => stream)]);
/** Bytes of a name: two for each character. */
const LONGEST_NAME = 48;

/**
 * What an OLE container holds: old workbooks, documents, messages and installers have the same signature. Only the names in its
 * directory are looked at, wherever that is; the reader says what is wrong with the rest.
 */
export async function oleContent(chunks: AsyncIterable<Buffer>): Promise<OleContent> {
  const streams = new Set<string>();
  let isInstaller = false;
  for await (const entry of entriesOf(chunks)) {
    const type = entry[TYPE_AT];
    if (type === ROOT) isInstaller ||= entry.toString('hex', CLASS_AT, CLASS_AT + 16) === INSTALLER;
    else if (type === STREAM) {
      const length = entry.readUInt16LE(NAME_LENGTH_AT) - 2;
      const isName = length > 0 && length < LONGEST_NAME;
      const name = isName ? entry.toString('utf16le', 0, length).toLowerCase() : '';
      if (NAMED.has(name)) streams.add(name);
    }
  }
  if (WORKBOOK.some((name) => streams.has(name))) return { kind: 'table', format: 'xls' };
  if (streams.has(ENCRYPTED)) return { kind: 'table', format: 'xlsx' };
  if (isInstaller) {
    return { kind: 'binary', what: 'a Windows installer; do not run it, ask for the price list as CSV or text' };
  }
  const other = OTHERS.find(({ stream }) => streams.has(stream));
  const what =
    other?.what ?? 'an old Office file without a workbook, or cut off; ask for the price list again, as XLSX or CSV';
  return { kind: 'binary', what };
}

/** All places where an entry may be. */
async function* entriesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (; at + ENTRY <= bytes.length; at += ENTRY) {
      const type = bytes[at + TYPE_AT];
      if (type === STREAM || type === ROOT) yield bytes.subarray(at, at + ENTRY);
    }
    rest = bytes.subarray(at);
  }
}
