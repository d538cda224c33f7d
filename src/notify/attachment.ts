import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { MessageKey } from '../wording/language/language.ts';

/** A file that goes with a mail; `note` says so when it is not simply the whole CSV. */
export type Attachment = { filename: string; contentType: string; content: Buffer; note: MessageKey | null };

/** Many mail servers refuse more than 10 MB, and base64 makes a file a third larger: of the CSV, and of all attachments. */
export const CSV_LIMIT = 5 * 1024 * 1024;
export const ALL_LIMIT = 7 * 1024 * 1024;

const GZIP = 'application/gzip';

/**
 * The CSV report as an attachment of at most 5 MB: as it is, else compressed, else its first whole rows, compressed.
 * `name` is the file name without ending.
 */
export async function attachCsv(path: string, name: string, charset = 'utf-8'): Promise<Attachment> {
  const { size } = await stat(path);
  if (size <= CSV_LIMIT) {
    const content = await readStart(path, size);
    return { filename: `${name}${extname(path)}`, contentType: `text/csv; charset=${charset}`, content, note: null };
  }
  const whole = await compress(path);
  if (whole !== null) {
    return { filename: `${name}.csv.gz`, contentType: GZIP, content: whole, note: 'mail.note.compressed' };
  }
  const rows = wholeRows(await readStart(path, CSV_LIMIT));
  const filename = `${name}-first-rows.csv.gz`;
  return { filename, contentType: GZIP, content: gzipSync(rows), note: 'mail.note.first-rows' };
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The compressed file, or null as soon as it is over the limit. */
async function compress(path: string): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  const tooLarge = new AbortController();
  const collect = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > CSV_LIMIT) tooLarge.abort();
      pieces.push(chunk);
    }
  };
  try {
    await pipeline(createReadStream(path), createGzip(), collect, { signal: tooLarge.signal });
    return Buffer.concat(pieces);
  } catch (error) {
    if (tooLarge.signal.aborted) return null;
    throw error;
  }
}

/** A line break inside quotes belongs to a cell: a row ends where the number of quotes so far is even. */
function wholeRows(bytes: Buffer): Buffer {
  let end = 0;
  let quoted = false;
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0x22) quoted = !quoted;
    if (byte === 0x0a && !quoted) end = at + 1;
  }
  return bytes.subarray(0, end);
}
