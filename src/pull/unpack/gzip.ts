import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Limits } from '../../config/schema/schema.ts';
import { OfferlineError, systemCode } from '../../errors.ts';
import { meter, type Spent } from './meter.ts';
import { diskError, refusal } from '../../io/refusal.ts';

/** The last bytes of a gzip file may be zeros of its own: the end of its data, a checksum and a size (4 bytes each). */
const MOST_ZEROS = 16;
const BLOCK_BYTES = 64 * 1024;

/** Unpacks a gzip file of one or several members to `target`; returns the name of what is inside. */
export async function unpackGzip(
  source: { path: string; name: string },
  target: string,
  limits: Limits,
  spent?: Spent,
) {
  const { name, path } = source;
  const { size } = await stat(path);
  const last = await lastByte(path, size, ZERO);
  const end = await lastByte(path, last + 1, BLANK);
  const packed = { name, path, size, spent };
  await gunzip({ ...packed, last, end: last + MOST_ZEROS }, target, limits).catch(async (error: unknown) => {
    if (end === last || !isBroken(error)) throw error;
    // The decoder takes blanks for another member.
    return gunzip({ ...packed, last: await lastByte(path, end + 1, ZERO), end }, target, limits);
  });
  return name.replace(/\.(?:gz|gzip)$/i, '');
}

type Packed = { name: string; path: string; size: number; last: number; end: number; spent: Spent | undefined };

async function gunzip({ name, path, size, last, end, spent }: Packed, target: string, limits: Limits): Promise<void> {
  const { stream } = meter(name, size, limits, 'gzip-bomb', spent);
  const decoder = createGunzip();
  try {
    await pipeline(createReadStream(path, { end }), decoder, stream, createWriteStream(target));
  } catch (error) {
    throw diskError(error, target, (cause) => gzipRefusal(name, cause));
  }
  if (decoder.bytesWritten <= last) throw foreignEnd(name);
}

function isBroken(error: unknown): boolean {
  return error instanceof OfferlineError && error.details['code'] === 'gzip-broken';
}

/** Tapes and downloads fill files up with zeros, which mean nothing; scripts end them with a line. */
const ZERO: ReadonlySet<number> = new Set([0]);
const BLANK: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x1a, 0x20]);

/** Where the last byte is that is none of these. */
async function lastByte(path: string, size: number, filling: ReadonlySet<number>): Promise<number> {
  await using file = await open(path);
  for (let end = size; end > 0; end -= BLOCK_BYTES) {
    const from = Math.max(0, end - BLOCK_BYTES);
    const at = (await read(file, from, end - from)).findLastIndex((byte) => !filling.has(byte));
    if (at !== -1) return from + at;
  }
  return 0;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The decoder stops without a word where zeros follow a member, whatever comes behind them. */
function foreignEnd(name: string) {
  const message = `${name} is a broken gzip file: there is other data between its parts or at its end. Ask for the file again.`;
  return refusal('gzip-broken', message, { file: name });
}

function gzipRefusal(name: string, cause: unknown): unknown {
  const code = systemCode(cause) ?? '';
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return foreignEnd(name);
  if (!code.startsWith('Z_')) return cause;
  if (code === 'Z_BUF_ERROR') {
    return refusal('gzip-truncated', `${name} is truncated: the gzip data ends too early. Ask for the file again.`, {
      file: name,
    });
  }
  const message = `${name} is a broken gzip file: its packed data is damaged. Ask for the file again.`;
  return refusal('gzip-broken', message, { file: name });
}
