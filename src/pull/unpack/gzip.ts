import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Limits } from '../../config/schema/schema.ts';
import { systemCode } from '../../errors.ts';
import { meter } from './meter.ts';
import { diskError, refusal } from '../../io/refusal.ts';

/** The last bytes of a gzip file may be zeros of its own: the end of its data, a checksum and a size (4 bytes each). */
const MOST_ZEROS = 16;
const BLOCK_BYTES = 64 * 1024;

/** Unpacks a gzip file of one or several members to `target`; returns the name of what is inside. */
export async function unpackGzip(source: { path: string; name: string }, target: string, limits: Limits) {
  const { name, path } = source;
  const { size } = await stat(path);
  const last = await lastByte(path, size);
  const { stream } = meter(name, size, limits, 'gzip-bomb');
  const gunzip = createGunzip();
  try {
    const packed = createReadStream(path, { end: last + MOST_ZEROS });
    await pipeline(packed, gunzip, stream, createWriteStream(target));
  } catch (error) {
    throw diskError(error, target, (cause) => gzipRefusal(name, cause));
  }
  if (gunzip.bytesWritten <= last) throw foreignEnd(name);
  return name.replace(/\.(?:gz|gzip)$/i, '');
}

/** Where the last byte is that is not zero: tapes and downloads fill files up with zeros, which mean nothing. */
async function lastByte(path: string, size: number): Promise<number> {
  await using file = await open(path);
  for (let end = size; end > 0; end -= BLOCK_BYTES) {
    const from = Math.max(0, end - BLOCK_BYTES);
    const at = (await read(file, from, end - from)).findLastIndex((byte) => byte !== 0);
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
