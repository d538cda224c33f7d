import { createHash } from 'node:crypto';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import type { Blob } from '../../archive/archive.ts';
import { sayDiskFull } from '../../archive/disk-full.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { refusedWith } from '../http/problem.ts';

/** A sender that sends nothing for so many milliseconds is given up. */
const SILENCE = 20_000;

/** Bytes that were announced and have not come yet. */
let announced = 0;

/** What is still to come of a file. */
type Rest = { bytes: number };

/**
 * Writes the body of a request to a file and digests it. Refused with 413 over `limit` bytes, with 408 when nothing comes for a while, with 400
 * when it is cut; with `disk-full` when the folder cannot take it. `length`: what was announced, where something was.
 */
export async function receiveBody(
  { body }: Pick<Request, 'body'>,
  { folder, path, limit, length }: { folder: string; path: string; limit: number; length: number | null },
): Promise<Blob> {
  const rest: Rest = { bytes: length ?? 0 };
  announced += rest.bytes;
  try {
    await assertRoom(folder, length);
    return await sayDiskFull(folder, async () => {
      await using file = await open(path, 'wx', 0o600);
      return await write(body, file, limit, rest);
    });
  } finally {
    announced -= rest.bytes;
  }
}

/** Fails with `disk-full` at once where all that was announced cannot be taken. */
async function assertRoom(folder: string, length: number | null): Promise<void> {
  if (length === null) return;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= announced) return;
  const message = `The archive has no room for a file of ${length} bytes now. Free some space there and send it again.`;
  throw new OfferlineError('disk-full', message, { retryable: true });
}

async function write(
  body: ReadableStream<Uint8Array> | null,
  file: FileHandle,
  limit: number,
  rest: Rest,
): Promise<Blob> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body === null ? [] : piecesOf(body)) {
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(limit);
    hash.update(chunk);
    await file.writeFile(chunk);
    const come = Math.min(rest.bytes, chunk.length);
    rest.bytes -= come;
    announced -= come;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The refusal of a file over `limits.fileSize`. */
export function tooLarge(limit: number): OfferlineError {
  return refusedWith(413, `The file has more than ${limit} bytes (limits.fileSize), so nothing of it was taken.`);
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await inTime(reader.read());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    reader.releaseLock();
  }
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  const { promise: silence, resolve } = Promise.withResolvers<'silence'>();
  const timer = setTimeout(() => resolve('silence'), SILENCE);
  try {
    const read = await Promise.race([reading, silence]);
    if (read !== 'silence') return read;
  } catch (error) {
    const why = messageOf(error);
    throw new OfferlineError(
      'usage',
      `The file did not arrive whole (${why}); nothing of it was taken. Send it again.`,
      {
        cause: error,
      },
    );
  } finally {
    clearTimeout(timer);
  }
  reading.catch(() => undefined);
  throw refusedWith(408, `Nothing came for ${SILENCE / 1000} s, so nothing of the file was taken. Send it again.`);
}
