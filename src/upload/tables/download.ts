import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { count, type Meter } from '../../gauge.ts';
import { isDiskFull, messageOf, OfferlineError } from '../../errors.ts';

/** What is downloaded, as people call it, and its bounds. */
export type Download = { what: string; path: string; limit: number; signal: AbortSignal; meter?: Meter };

/**
 * Writes a file that the service gives to disk and answers with its SHA-256, in lower-case hex. Fails with `service-reply` when it is larger than `limits.downloadSize`, with
 * `service-unreachable` when it breaks off, and with the signal's reason when that fires.
 */
export async function saveDownload(body: Readable, { what, path, limit, signal, meter }: Download): Promise<string> {
  let bytes = 0;
  const hash = createHash('sha256');
  const bounded = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      hash.update(chunk);
      count(meter, chunk.length);
      if (bytes <= limit) return done(null, chunk);
      done(new OfferlineError('service-reply', `${what} is larger than limits.downloadSize (${limit} bytes).`));
    },
  });
  try {
    await pipeline(body, bounded, createWriteStream(path), { signal });
    return hash.digest('hex');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OfferlineError || isDiskFull(error)) throw error;
    throw new OfferlineError('service-unreachable', `The download of ${what} was interrupted: ${messageOf(error)}`, {
      retryable: true,
      cause: error,
    });
  }
}
