import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rm, stat, truncate } from 'node:fs/promises';
import { OfferlineError } from '../errors.ts';
import { failWriting } from '../io/text-writer.ts';

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
};

/** What has been written of a file so far, and its digest. */
export type Part = { bytes: number; hash: Hash };

export function nothingYet(): Part {
  return { bytes: 0, hash: createHash('sha256') };
}

/**
 * Writes a stream of bytes to `target` and digests them on the way. When anything fails, half a file is removed again.
 * Throws `file-rejected` over the limit, `disk-full`, `interrupted`, and what the stream throws.
 */
export async function save(chunks: AsyncIterable<Uint8Array>, options: SaveOptions): Promise<Saved> {
  try {
    return await append(chunks, nothingYet(), options);
  } catch (error) {
    await discard(options.target);
    throw error;
  }
}

/** Writes what follows on the first part of a file, which grows with it and stays when anything fails; else as `save`. */
export async function append(chunks: AsyncIterable<Uint8Array>, part: Part, options: SaveOptions): Promise<Saved> {
  const { target, limit, what, signal, received } = options;
  const file = await openAfter(part, target).catch((error: unknown) => failWriting(target, error));
  try {
    for await (const chunk of chunks) {
      if (signal?.aborted === true) throw interrupted(what);
      received?.(chunk.length);
      if (part.bytes + chunk.length > limit) throw tooLarge(what, `more than ${limit} bytes`, limit);
      await file.writeFile(chunk).catch((error: unknown) => failWriting(target, error));
      part.hash.update(chunk);
      part.bytes += chunk.length;
    }
    await file.close();
    return { bytes: part.bytes, sha256: part.hash.copy().digest('hex') };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw signal?.aborted === true ? interrupted(what) : error;
  }
}

async function openAfter({ bytes }: Part, target: string): Promise<FileHandle> {
  if (bytes === 0) return open(target, 'w');
  await truncate(target, bytes);
  return open(target, 'a');
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
