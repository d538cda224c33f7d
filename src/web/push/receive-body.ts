import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Blob } from '../../archive/archive.ts';
import { sayDiskFull } from '../../archive/disk-full.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { refusedWith } from '../http/problem.ts';
import { assertRoom, LOOK_EVERY, type Room } from './room.ts';

/** A sender that sends nothing for so many milliseconds is given up. */
const SILENCE = 20_000;

/** Where a body is written, and how much of it there may be. */
type Target = {
  file: FileHandle;
  /** The byte at which it begins. */
  at: number;
  /** The folder of the file. */
  folder: string;
  /** The byte at which it has to end at the latest, and what refuses it beyond that. */
  limit: number;
  over: OfferlineError;
  /** What is kept for the body on the disk. */
  room: Room;
  /** Ends it. */
  signal?: AbortSignal;
};

/**
 * Writes the body of a request into a file, and digests what it wrote. Refused with `over` beyond its limit, with 408 when nothing comes for a while,
 * with 400 when it is cut; with `disk-full` when the folder cannot take it.
 */
export async function receiveBody(
  { body }: Pick<Request, 'body'>,
  { file, at, folder, limit, over, room, signal }: Target,
): Promise<Blob> {
  const hash = createHash('sha256');
  let bytes = 0;
  let looked = 0;
  await sayDiskFull(folder, async () => {
    for await (const chunk of body === null ? [] : piecesOf(body, signal)) {
      if (at + bytes + chunk.length > limit) throw over;
      hash.update(chunk);
      await writeAll(file, chunk, at + bytes);
      bytes += chunk.length;
      room.came(chunk.length);
      if (bytes - looked < LOOK_EVERY) continue;
      looked = bytes;
      await assertRoom(folder, null);
    }
  });
  return { sha256: hash.digest('hex'), bytes };
}

async function writeAll(file: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written, at + written);
    written += bytesWritten;
  }
}

/** The refusal of a file over `limits.fileSize`. */
export function tooLarge(limit: number): OfferlineError {
  return refusedWith(413, `The file has more than ${limit} bytes (limits.fileSize), so nothing of it was taken.`);
}

async function* piecesOf(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await inTime(reader.read(), signal);
      if (next.done) return;
      yield next.value;
      giveBack(next.value);
    }
  } finally {
    reader.releaseLock();
  }
}

/** Gives the memory of a piece back at once: where the machine is busy, the collector that would do so comes hundreds of megabytes later. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function inTime<T>(reading: Promise<T>, signal?: AbortSignal): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<'silence' | 'stopped'>();
  const timer = setTimeout(() => resolve('silence'), SILENCE);
  const stop = () => resolve('stopped');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const read = await Promise.race([reading, promise]);
    if (read === 'silence')
      throw refusedWith(408, `Nothing came for ${SILENCE / 1000} s, so the file was not taken. Send it again.`);
    if (read === 'stopped') throw new OfferlineError('conflict', 'The same file is sent by another request now.');
    return read;
  } catch (error) {
    reading.catch(() => undefined);
    if (error instanceof OfferlineError) throw error;
    const message = `The file did not arrive whole (${messageOf(error)}), so it was not taken. Send it again.`;
    throw new OfferlineError('usage', message, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
