import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isDiskFull, messageOf, OfferlineError } from '../errors.ts';

/** The open end of a file that others write to at places of their own, from `bytes` on. */
export type LentFile = { file: number; path: string; bytes: number };

/**
 * A text file that is written from its beginning, or from its end; closing it does not flush. It alone knows where the file ends: others write
 * through it, or borrow the end.
 */
export type TextWriter = AsyncDisposable & {
  /** Keeps text to be written by the next `flush`. Throws while the end is lent. */
  write: (text: string) => void;
  /** Writes the kept text; await it often enough, and memory stays bounded. */
  flush: () => Promise<void>;
  /** Lends the end of the file, after everything written so far, until it is given back. */
  lend: () => Promise<LentFile>;
  /** Ends the loan and sets where the file ends; anything after that is cut off. */
  giveBack: (bytes: number) => Promise<void>;
};

/**
 * Creates or empties a text file, UTF-8; `append`: goes on where it ends. Throws `disk-full`, here or from `flush`, when there is no space for it.
 */
export async function openTextWriter(path: string, { append = false } = {}): Promise<TextWriter> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT).catch((error: unknown) =>
    refuseWrite(path, error),
  );
  // Only where something is: ext4 writes a file that was emptied to the disk when it is closed, and closing waits.
  const { size } = await handle.stat();
  if (size > 0 && !append) await handle.truncate();
  let kept = '';
  let end = append ? size : 0;
  let isLent = false;
  const flush = async () => {
    const content = Buffer.from(kept);
    kept = '';
    for (let at = 0; at < content.length;) {
      const { bytesWritten } = await handle
        .write(content, at, content.length - at, end)
        .catch((error: unknown) => refuseWrite(path, error));
      at += bytesWritten;
      end += bytesWritten;
    }
  };
  return {
    flush,
    write: (text) => {
      if (isLent) throw new Error(`The end of ${path} is lent; nothing may be written meanwhile.`);
      kept += text;
    },
    lend: async () => {
      await flush();
      isLent = true;
      return { file: handle.fd, path, bytes: end };
    },
    giveBack: async (bytes) => {
      await handle.truncate(bytes);
      end = bytes;
      isLent = false;
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** Rethrows what went wrong while a file was written: as `disk-full` when there is no space for it. */
export function refuseWrite(path: string, error: unknown): never {
  if (!isDiskFull(error)) throw error;
  throw new OfferlineError('disk-full', `There is no space left to write ${path}. Free some space and try again.`, {
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
