import { rm, stat } from 'node:fs/promises';
import { OfferlineError } from '../../errors.ts';
import { setDone, type Meter } from '../../gauge.ts';
import { FileWriter } from './file-writer.ts';

export type Saved = { bytes: number; sha256: string };

type SaveOptions = {
  target: string;
  /** Bytes; one more is refused. */
  limit: number;
  /** What is being pulled, for messages. */
  what: string;
  signal?: AbortSignal | undefined;
  /** Is called with each chunk. */
  received?: ((bytes: number) => void) | undefined;
  /** Shows how much has been written. */
  meter?: Meter | undefined;
};

/** How much of a file has been written so far. */
export type Part = { bytes: number };

/**
 * Writes a stream of bytes to `target` and digests them on the way. When anything fails, half a file is removed again. The memory
 * of each chunk is given back: nobody else may use it. Throws `file-rejected` over the limit, `disk-full`, `interrupted`, and
 * what the stream throws.
 */
export async function save(chunks: AsyncIterable<Uint8Array>, options: SaveOptions): Promise<Saved> {
  try {
    return await append(chunks, { bytes: 0 }, options);
  } catch (error) {
    await discard(options.target);
    throw error;
  }
}

/** Writes what follows on the first part of a file, which grows with it and stays when anything fails; else as `save`. */
export async function append(chunks: AsyncIterable<Uint8Array>, part: Part, options: SaveOptions): Promise<Saved> {
  const { target, limit, what, signal, received, meter } = options;
  await using writer = new FileWriter(target, part.bytes, signal);
  let { bytes } = part;
  try {
    for await (const chunk of chunks) {
      if (signal?.aborted === true) throw interrupted(what);
      received?.(chunk.length);
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(what, `more than ${limit} bytes`, limit);
      await writer.write(chunk);
      setDone(meter, bytes);
      giveBack(chunk);
    }
    return { bytes, sha256: await writer.close() };
  } catch (error) {
    // What has come is kept for the next try; where it cannot be written, the first error says more.
    await writer.flush().catch(() => undefined);
    throw signal?.aborted === true ? interrupted(what) : error;
  } finally {
    part.bytes = writer.written;
  }
}

/** Frees the memory of a chunk at once: left to the garbage collector, a fast line costs twice the time and 60 MB. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** The refusal of a file over `limits.fileSize`. */
export function tooLarge(what: string, found: string, limit: number): OfferlineError {
  const message = `${what} has ${found}; limits.fileSize allows ${limit}. Raise the limit if the file is right.`;
  return new OfferlineError('file-rejected', message, { details: { limit } });
}

/** The error of a pull that was stopped from outside. */
export function interrupted(what: string): OfferlineError {
  return new OfferlineError('interrupted', `Stopped while pulling ${what}.`);
}

/** Removes half a file; a device or pipe that was named as target stays. */
export async function discard(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found?.isFile() === true) await rm(target, { force: true });
}
