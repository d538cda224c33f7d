import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, constants, truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { byteKind } from '../../io/byte-kind.ts';
import { readBeginning, readPieces } from '../../io/read-pieces.ts';
import { diskError } from '../../io/refusal.ts';
import type { Format } from '../../model.ts';
import { counted } from '../../wording/words.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { beginsPacked, contentOfHead } from './content.ts';
import { noticesIn } from './notices.ts';
import { rebaseZip } from './rebase-zip.ts';

/** The part of a file that is its content, and what stands around it, in sentences. */
type Part = { start: number; end: number; notes: string[] };

const SAMPLE_BYTES = 64 * 1024;
/** What a server writes before a file or behind it by mistake is no longer than this. */
const MOST_BEFORE = 4096;
const MOST_BEHIND = 4096;
/** Bytes of messages above a list. */
const MOST_NOTICES = 1 << 20;
const LONGEST_NOTICE = 4096;
/** Messages that may be lines above a table, whose lines keep their numbers then. */
const MOST_LINES_ABOVE = 40;
const NUL = 0;
/** Ctrl-Z, with which DOS programs end a text. */
const END_OF_FILE = 0x1a;
/** A byte order mark, blanks and empty lines. */
const BLANK = /^(?:\xef\xbb\xbf|[\s\0])+/;
/** Formats whose content may end with anything. */
const BINARY: ReadonlySet<Format> = new Set(['xls', 'xlsb', 'dbf', 'ods']);
const ZIP_START = 'PK\x03\x04';
const ZIP_END = 'PK\x05\x06';
/** Of the end of an archive, which says at its own end how long the comment is that follows. */
const ZIP_END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

/** Where the content of a file is: archives between a few other bytes, texts before NUL bytes and a mark that ends them. Null: all of it. */
export function contentPart(path: string, bytes: number): Part | null {
  const head = readBeginning(path, SAMPLE_BYTES);
  const packed = packedPart(path, head, bytes);
  if (packed !== null) return packed;
  const { end, nuls, marks } = textEnd(path, bytes);
  const notices = noticesBefore(path, head.subarray(0, end));
  if ((end === bytes && notices === null) || end === 0) return null;
  const start = notices?.start ?? 0;
  const known =
    start === 0 ? head.subarray(0, end) : readPieces(path, [start], Math.min(SAMPLE_BYTES, end - start))[0]!;
  const content = contentOfHead(known);
  const kind = byteKind(known);
  const isText = content.kind === 'text' || (content.kind === 'table' && !BINARY.has(content.format));
  if (!isText || (kind.kind === 'unicode' && kind.charset !== 'utf-8')) return null;
  const notes = [
    ...(nuls === 0
      ? []
      : [`${counted(nuls, 'NUL byte')} at the end of the file ${nuls === 1 ? 'was' : 'were'} passed over.`]),
    ...(marks === 0 ? [] : ['The mark that ends the file (Ctrl-Z) was passed over.']),
    ...(notices === null ? [] : [notices.note]),
  ];
  return { start, end, notes };
}

/** Where a list begins behind messages of PHP; null where there are none, or they are a few lines above a table, as any others. */
function noticesBefore(path: string, head: Buffer): { start: number; note: string } | null {
  let { notices, text } = noticesOf(head);
  // More of them than were looked at.
  if (notices.end > head.length - LONGEST_NOTICE && head.length === SAMPLE_BYTES) {
    ({ notices, text } = noticesOf(readBeginning(path, MOST_NOTICES)));
  }
  const { count, end, first, areOfPage } = notices;
  if (count === 0) return null;
  const areLinesAbove = !areOfPage && count <= MOST_LINES_ABOVE;
  if (areLinesAbove && contentOfHead(head.subarray(end)).kind === 'text') return null;
  const others = count === 1 ? '' : ` and ${counted(count - 1, 'other')}`;
  const shown = foreignText(text.includes(first) ? first : first.replaceAll(/[^ -~]/gu, '?'), 120);
  return { start: end, note: `A message of the program that wrote the file was passed over: “${shown}”${others}.` };
}

function noticesOf(head: Buffer) {
  return { notices: noticesIn(head.toString('latin1')), text: head.toString('utf8') };
}

/** Copies the part of a file to `target`. */
export async function copyPart(path: string, { start, end }: Part, target: string): Promise<void> {
  try {
    if (start > 0) {
      await pipeline(createReadStream(path, { start, end: end - 1 }), createWriteStream(target));
      return await rebaseZip(target, start);
    }
    await copyFile(path, target, constants.COPYFILE_FICLONE);
    await truncate(target, end);
  } catch (error) {
    throw diskError(error, target, (cause) => cause);
  }
}

/** Where an archive is between other bytes; null where there are none. */
function packedPart(path: string, head: Buffer, bytes: number): Part | null {
  const start = packedFrom(path, head, bytes);
  const isZip = head.indexOf(ZIP_START, start, 'latin1') === start;
  const end = isZip ? zipEnd(path, bytes) : bytes;
  if (start === 0 && end === bytes) return null;
  return { start, end, notes: [...passedOver(start, 'before'), ...passedOver(bytes - end, 'behind')] };
}

function passedOver(bytes: number, where: 'before' | 'behind'): string[] {
  if (bytes === 0) return [];
  return [`${counted(bytes, 'byte')} ${where} the archive ${bytes === 1 ? 'was' : 'were'} passed over.`];
}

/** Where an archive ends by what it says itself, with a few other bytes behind it, or many NUL bytes; else where the file does. */
function zipEnd(path: string, bytes: number): number {
  const filled = textEnd(path, bytes).end;
  const to = Math.min(bytes, filled + ZIP_END_BYTES);
  const from = Math.max(0, to - ZIP_END_BYTES - LONGEST_COMMENT - MOST_BEHIND);
  const tail = readPieces(path, [from], to - from)[0]!;
  const at = tail.lastIndexOf(ZIP_END, -ZIP_END_BYTES, 'latin1');
  if (at === -1) return bytes;
  const end = from + at + ZIP_END_BYTES + tail.readUInt16LE(at + ZIP_END_BYTES - 2);
  return end < bytes && filled - end <= MOST_BEHIND ? end : bytes;
}

/** Where an archive begins behind blanks or a short text; 0 for what is none, or begins at once. */
function packedFrom(path: string, head: Buffer, bytes: number): number {
  if (beginsPacked(head)) return 0;
  const blank = BLANK.exec(head.toString('latin1', 0, MOST_BEFORE))?.[0].length ?? 0;
  if (blank > 0 && beginsPacked(head.subarray(blank))) return blank;
  const at = head.subarray(0, MOST_BEFORE + ZIP_START.length).indexOf(ZIP_START, 0, 'latin1');
  if (at < 1 || byteKind(head.subarray(0, at)).kind !== 'eight-bit') return 0;
  const tail = readPieces(path, [Math.max(0, bytes - SAMPLE_BYTES)], SAMPLE_BYTES)[0]!;
  return tail.includes(ZIP_END, 0, 'latin1') ? at : 0;
}

/** Where a text ends before NUL bytes and marks, and how many of each there are. */
function textEnd(path: string, bytes: number): { end: number; nuls: number; marks: number } {
  let [nuls, marks] = [0, 0];
  for (let end = bytes; end > 0; end -= SAMPLE_BYTES) {
    const start = Math.max(0, end - SAMPLE_BYTES);
    const piece = readPieces(path, [start], end - start)[0]!;
    for (let at = piece.length - 1; at >= 0; at -= 1) {
      if (piece[at] === NUL) nuls += 1;
      else if (piece[at] === END_OF_FILE) marks += 1;
      else return { end: start + at + 1, nuls, marks };
    }
  }
  return { end: 0, nuls, marks };
}
