import { open } from 'node:fs/promises';
import { isDiskFull, messageOf, OfferlineError } from './errors.ts';

/** A text file that is written from its beginning; closing it does not flush. */
export type TextWriter = AsyncDisposable & {
  /** Keeps text to be written by the next `flush`. */
  write: (text: string) => void;
  /** Writes what was kept and waits until the system took it: awaited often enough, memory stays bounded. */
  flush: () => Promise<void>;
  /** The open file, for those who write at places of their own behind what was flushed. */
  file: number;
  path: string;
  /** The bytes that are in it. */
  size: () => Promise<number>;
};

/**
 * Creates or empties a text file, UTF-8 unless `encode` says otherwise. Throws `disk-full`, here or from `flush`, when
 * there is no space for it.
 */
export async function openTextWriter(path: string, encode?: (text: string) => Uint8Array): Promise<TextWriter> {
  const handle = await open(path, 'w').catch((error: unknown) => refuseWrite(path, error));
  let kept = '';
  return {
    file: handle.fd,
    path,
    size: async () => (await handle.stat()).size,
    write: (text) => {
      kept += text;
    },
    flush: async () => {
      if (kept === '') return;
      const content = encode === undefined ? kept : encode(kept);
      kept = '';
      await handle.appendFile(content).catch((error: unknown) => refuseWrite(path, error));
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** Rethrows what went wrong while a file was written: as `disk-full` when there is no space for it. */
export function refuseWrite(path: string, error: unknown): never {
  if (!isDiskFull(error)) throw error;
  throw new OfferlineError('disk-full', `There is no space left to write ${path}. Free some and try again.`, {
    retryable: true,
    cause: error,
    details: { path, error: messageOf(error) },
  });
}

/** Throws what went wrong while a file was written: `disk-full`, or `internal` for anything else. */
export function failWriting(path: string, error: unknown): never {
  if (isDiskFull(error)) refuseWrite(path, error);
  throw new OfferlineError('internal', `Cannot write ${path}: ${messageOf(error)}`, { cause: error });
}
