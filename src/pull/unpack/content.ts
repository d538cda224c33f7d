import { createReadStream } from 'node:fs';
import type { TableFormat } from '../../model.ts';
import { byteKind, isBinary } from '../../io/byte-kind.ts';
import { readBeginning, readPieces } from '../../io/read-pieces.ts';
import { oleContent } from './ole.ts';

/**
 * What a file holds, by its bytes and never by its name; `what` names what is no table in words and says what to do. `isPicture`: it is a
 * picture or a document as they lie beside lists.
 */
export type Content =
  | { kind: 'zip' | 'gzip' | 'mhtml' | 'pgp' | '7z' | 'rar' | 'text' | 'empty' }
  | { kind: 'table'; format: TableFormat }
  | { kind: 'binary'; what: string; isPicture?: boolean };

const SAMPLE_BYTES = 64 * 1024;

/** A first entry, the end of an empty archive, a spanned archive. */
const ZIP_STARTS = new Set(['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08']);

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** The first record of an old workbook that a script wrote without a container. */
const WORKBOOK_STREAMS = ['\x09\x08\x08\x00', '\x09\x08\x10\x00', '\x09\x08\x06\x00'];

type Magic = { at?: number; bytes: string; what: string; isPicture?: true };

/** Signatures of files that suppliers send by mistake. All of them contain bytes that are rare in text. */
const MAGICS: Magic[] = [
  { bytes: '%PDF-', what: 'a PDF document; ask for the price list as CSV or text', isPicture: true },
  { bytes: '\x89PNG\r\n\x1a\n', what: 'a PNG picture; ask for the price list as CSV or text', isPicture: true },
  { bytes: '\xff\xd8\xff', what: 'a JPEG picture; ask for the price list as CSV or text', isPicture: true },
  { bytes: 'GIF87a', what: 'a GIF picture; ask for the price list as CSV or text', isPicture: true },
  { bytes: 'GIF89a', what: 'a GIF picture; ask for the price list as CSV or text' },
  { bytes: '\x7fELF', what: 'a program; do not run it, ask for the price list as CSV or text' },
  { bytes: '\xfd7zXZ\x00', what: 'an xz archive; pack the file with zip or gzip' },
  { bytes: '\x28\xb5\x2f\xfd', what: 'a Zstandard archive; pack the file with zip or gzip' },
  { bytes: '1AY&SY', at: 4, what: 'a bzip2 archive; pack the file with zip or gzip' },
  { bytes: 'ustar', at: 257, what: 'a tar archive; pack the file with zip or gzip' },
  { bytes: 'SQLite format 3\x00', what: 'a SQLite database; export it as CSV' },
  { bytes: '{\\rtf', what: 'an RTF document; export it as CSV or text' },
];

/** Looks at the beginning, the middle and the end of a file of that many bytes. */
export async function contentOf(path: string, bytes: number): Promise<Content> {
  const head = readBeginning(path, SAMPLE_BYTES);
  const content = contentOfHead(head);
  if (content.kind === 'ole') return oleContent(createReadStream(path));
  if (content.kind !== 'text' || byteKind(head).kind !== 'eight-bit') return content;
  const others = [Math.floor(bytes / 2), bytes - SAMPLE_BYTES].filter((at) => at >= SAMPLE_BYTES);
  return readPieces(path, others, SAMPLE_BYTES).some(isBinary) ? unnamedBinary(head) : content;
}

/** Whether bytes begin like an archive or an old Office file. */
export function beginsPacked(head: Buffer): boolean {
  const { kind } = contentOfHead(head.subarray(0, 8));
  return kind === 'zip' || kind === 'gzip' || kind === 'ole';
}

/** What a file holds as far as its first KB show; what an OLE container holds is further down. */
export function contentOfHead(head: Buffer): Content | { kind: 'ole' } {
  if (ZIP_STARTS.has(head.toString('latin1', 0, 4))) return { kind: 'zip' };
  const start = head.toString('latin1', 0, 8);
  if (start.startsWith('7z\xbc\xaf\x27\x1c')) return { kind: '7z' };
  if (start.startsWith('Rar!\x1a\x07')) return { kind: 'rar' };
  if (head[0] === 0x1f && head[1] === 0x8b) return { kind: 'gzip' };
  if (start === OLE) return { kind: 'ole' };
  if (WORKBOOK_STREAMS.some((bytes) => start.startsWith(bytes))) return { kind: 'table', format: 'xls' };
  if (isDbf(head)) return { kind: 'table', format: 'dbf' };
  if (isPgp(head)) return { kind: 'pgp' };
  const magic = MAGICS.find(({ bytes, at = 0 }) => head.toString('latin1', at, at + bytes.length) === bytes);
  if (magic !== undefined) return { kind: 'binary', what: magic.what, isPicture: magic.isPicture === true };
  const bytes = byteKind(head);
  if (head.length === 0 || (bytes.kind === 'unicode' && bytes.bomBytes === head.length)) return { kind: 'empty' };
  if (bytes.kind === 'binary') return unnamedBinary(head);
  const text = head.toString('latin1', 0, START_BYTES).replaceAll(UNICODE_BYTES, '');
  if (PGP_BLOCK.test(text)) {
    const what =
      'a PGP key or a signature without what it signs; ask for the list itself, signed or encrypted in one file';
    return { kind: 'binary', what };
  }
  if (WEB_ARCHIVE.test(text)) return { kind: 'mhtml' };
  if (FLAT_DOCUMENT.test(text)) return flatDocument(head);
  if (SYLK.test(text)) return { kind: 'table', format: 'slk' };
  const written = WRITTEN.find((candidate) => candidate.start.test(text));
  return written === undefined ? { kind: 'text' } : { kind: 'table', format: written.format };
}

/** Kinds of dBase, FoxPro and Visual FoxPro tables. */
const DBF_KINDS = new Set([
  0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0x8c, 0xcb, 0xe5, 0xf5, 0xfb,
]);
/** Visual FoxPro has the path of its database behind the columns. */
const DBF_ENDS = [1, 264];

/** A kind, the day of the last change, places without use, and a header that ends with a carriage return where it says. */
function isDbf(head: Buffer): boolean {
  if (head.length < 33 || !DBF_KINDS.has(head[0]!)) return false;
  const [month = 0, day = 0] = head.subarray(2);
  const end = head.readUInt16LE(8);
  const hasReserve = head.subarray(12, 32).includes(0);
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return hasReserve && isDay && end >= 65 && DBF_ENDS.some((back) => head[end - back] === 0x0d);
}

const PGP_MESSAGE = /^\s*-----BEGIN PGP (?:SIGNED )?MESSAGE-----/;
const PGP_BLOCK = /^\s*-----BEGIN PGP [A-Z ]{1,40}-----/;

/**
 * A message as text, or the first packet of a binary one (RFC 9580, 4.3): a session key, a signature to come, packed data. Its version or
 * method is a control character, which no text has there.
 */
export function isPgp(head: Buffer): boolean {
  if (PGP_MESSAGE.test(head.toString('latin1', 0, 128).replaceAll(UNICODE_BYTES, ''))) return true;
  const [tag = 0] = head;
  const isNew = (tag & 0xc0) === 0xc0;
  const kind = isNew ? tag & 0x3f : (tag & 0x3c) >> 2;
  if ((tag & 0x80) === 0 || !(kind in PGP_VERSIONS)) return false;
  // Old packets have the number of bytes of their length in their tag; new ones say it by the length itself.
  const lengthBytes = isNew ? newLength(head[1] ?? 0) : [1, 2, 4, 0][tag & 3]!;
  const version = head[1 + lengthBytes];
  return version !== undefined && PGP_VERSIONS[kind]!.includes(version);
}

/** Bytes of the length of a new packet, by the first of them. */
function newLength(first: number): number {
  if (first === 255) return 5;
  return first >= 192 && first < 224 ? 2 : 1;
}

/** What stands first in the packets that begin a message: versions, and methods of packing. */
const PGP_VERSIONS: Record<number, number[]> = { 1: [3, 6], 3: [4, 5, 6], 4: [3, 6], 8: [1, 2, 3] };

const START_BYTES = 1024;
/** Byte order marks, and the NUL bytes of ASCII in UTF-16. */
const UNICODE_BYTES = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)|\0/g;

/** A mail whose parts are the pages of a web archive. */
const WEB_ARCHIVE = /^(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*content-type:\s*(?:multipart\/related|text\/html)\b/i;

/** An OpenDocument file that is one XML document (FODS), and the type that its root says it has. */
const FLAT_DOCUMENT = /^\s*(?:<\?xml\b[^>]*>\s*)?<(?:[a-z]+:)?document\b[^<]*\burn:oasis:names:tc:opendocument:/i;
const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet';

function flatDocument(head: Buffer): Content {
  if (head.toString('latin1').replaceAll('\0', '').includes(SPREADSHEET)) return { kind: 'table', format: 'ods' };
  return { kind: 'binary', what: 'an OpenDocument file, but no spreadsheet; export its table as CSV' };
}

/** The first record of a spreadsheet in SYLK, and one that follows: a list may have a column called ID. */
const SYLK = /^ID;P[^\r\n]*\r?\n(?:[BCDEFNOPW];|E\r?\n)/;

/** How texts of other formats begin; many of them have the name of another one. */
const WRITTEN: { start: RegExp; format: 'html' | 'xml' | 'json' }[] = [
  {
    start: /^\s*(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html|head|body|table|meta|script|title)\b/i,
    format: 'html',
  },
  { start: /^\s*<(?:\?xml\b|[a-z_][\w.:-]*(?:\s[^<>]*)?>\s*<)/i, format: 'xml' },
  { start: /^\s*(?:\{\s*["}]|\[\s*[[{\]])/, format: 'json' },
];

/** `MZ` may begin a text too, so it names a file only after its content was found to be binary. */
function unnamedBinary(head: Buffer): Content {
  const isProgram = head.toString('latin1', 0, 2) === 'MZ';
  return {
    kind: 'binary',
    what: isProgram
      ? 'a Windows program; do not run it, ask for the price list as CSV or text'
      : 'not a text file: it is full of control characters; ask for the price list as CSV or text',
  };
}
