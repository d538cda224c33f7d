import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { refusal } from '../io/refusal.ts';
import { decodeBytes } from '../io/text-decode.ts';
import type { TableInput } from './table-file.ts';

/** How the bytes of a text become characters. */
export type Encoding = { charset: string; bom: boolean };

/** A text has at least so many characters of several bytes before it is UTF-8 by more than chance. */
const ENOUGH_SEQUENCES = 4;

/** The first bytes of a file, refused when it is larger than a file may be. */
export async function headOf(input: TableInput, bytes: number): Promise<Buffer> {
  await using file = await open(input.path);
  const { size } = await file.stat();
  if (size > input.limits.fileSize) {
    const most = Math.round(input.limits.fileSize / 1e6);
    throw refusal('file-too-large', `${input.name} is larger than the limit of ${most} MB. Send it in parts.`);
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(bytes, Math.max(size, 1))), 0);
  return buffer.subarray(0, bytesRead);
}

/** The encoding that a byte order mark names, or that the zero bytes around the first character show; else null. */
export function markedEncoding(head: Buffer): Encoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { charset: 'utf-8', bom: true };
  if (head[0] === 0xff && head[1] === 0xfe) return { charset: 'utf-16le', bom: true };
  if (head[0] === 0xfe && head[1] === 0xff) return { charset: 'utf-16be', bom: true };
  if (head.length > 3 && head[0] !== 0 && head[1] === 0 && head[3] === 0) return { charset: 'utf-16le', bom: false };
  if (head.length > 3 && head[0] === 0 && head[1] !== 0 && head[2] === 0) return { charset: 'utf-16be', bom: false };
  return null;
}

/** The first characters of a file, as far as they are ASCII in any charset: enough for what declares one. */
export function decodeHead(head: Buffer, marked: Encoding | null): string {
  if (marked === null || !marked.charset.startsWith('utf-16')) return head.toString('latin1').replace(/^ï»¿/, '');
  return decodeBytes(head, marked.charset).replace(/^\uFEFF/, '');
}

/** What the bytes of a file are as UTF-8. */
export type Utf8Check = {
  /** The line of the first byte that is not UTF-8; null when there is none. */
  badLine: number | null;
  /** More characters of several bytes than chance would make: a file that claims another charset is mistaken. */
  surelyUtf8: boolean;
};

/** Reads a whole file to see whether it is UTF-8. */
export async function checkUtf8({ path, signal }: TableInput): Promise<Utf8Check> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let characters = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18, signal }) as AsyncIterable<Buffer>) {
    try {
      characters += sequences(decoder.decode(chunk, { stream: true }), characters);
    } catch {
      return { badLine: line + linesBefore(chunk), surelyUtf8: false };
    }
    line += linesIn(chunk, chunk.length);
  }
  try {
    decoder.decode();
  } catch {
    return { badLine: line, surelyUtf8: false };
  }
  return { badLine: null, surelyUtf8: characters >= ENOUGH_SEQUENCES };
}

/** The error for a file whose bytes are not what it says of them. */
export function wrongEncoding(name: string, said: string, badLine: number): Error {
  const what = `${name} ${said}, but line ${badLine} has bytes that are not UTF-8.`;
  return refusal('wrong-encoding', `${what} Save it as UTF-8, or declare the encoding that it has.`, { line: badLine });
}

/** Enough are counted once there are enough. */
function sequences(text: string, before: number): number {
  return before >= ENOUGH_SEQUENCES ? 0 : (text.match(/[^\0-\u007F]/gu)?.length ?? 0);
}

/** Line feeds before the first byte of a chunk that is not UTF-8; the chunk may begin inside a character. */
function linesBefore(chunk: Buffer): number {
  let start = 0;
  while (start < 3 && (chunk[start]! & 0xc0) === 0x80) start++;
  const bad = chunk.subarray(start).toString('utf8').indexOf('\uFFFD');
  const whole = chunk.subarray(start).toString('utf8').slice(0, Math.max(bad, 0));
  return bad < 0 ? 0 : whole.split('\n').length - 1;
}

function linesIn(chunk: Buffer, end: number): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0 && at < end; at = chunk.indexOf(10, at + 1)) lines++;
  return lines;
}
