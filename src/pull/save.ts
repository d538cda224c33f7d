import { createHash } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
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

/**
 * Writes a stream of bytes to `target` and digests them on the way. When anything fails, half a file is removed again.
 * Throws `file-rejected` over the limit, `disk-full`, `interrupted`, and what the stream throws.
 */
export async function save(chunks: AsyncIterable<Uint8Array>, options: SaveOptions): Promise<Saved> {
  const { target, limit, what, signal, received } = options;
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(target, 'w').catch((error: unknown) => failWriting(target, error));
  try {
    for await (const chunk of chunks) {
      if (signal?.aborted === true) throw interrupted(what);
      bytes += chunk.length;
      received?.(chunk.length);
      if (bytes > limit) throw tooLarge(what, `more than ${limit} bytes`, limit);
      hash.update(chunk);
      await file.writeFile(chunk).catch((error: unknown) => failWriting(target, error));
    }
    await file.close();
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await file.close().catch(() => undefined);
    await discard(target);
    throw signal?.aborted === true ? interrupted(what) : error;
  }
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
async function discard(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found?.isFile() === true) await rm(target, { force: true });
}
