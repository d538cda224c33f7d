import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Blob } from '../archive/archive.ts';
import { refuseWrite } from '../io/text-writer.ts';

/** A file that is written from its beginning, as bytes; `flush` writes what was added. */
export type ByteWriter = AsyncDisposable & {
  /** Adds bytes; they are copied. */
  add: (bytes: Buffer, from: number, to: number) => void;
  flush: () => Promise<void>;
  /** What was written. Call once, at the end. */
  written: () => Blob;
};

/** Creates or empties a file. Throws `disk-full`, here or from `flush`, when there is no space for it. */
export async function openByteWriter(path: string): Promise<ByteWriter> {
  const handle = await open(path, 'w').catch((error: unknown) => refuseWrite(path, error));
  let kept = Buffer.allocUnsafeSlow(1024 * 1024);
  let length = 0;
  let bytes = 0;
  const hash = createHash('sha256');
  return {
    add: (added, from, to) => {
      if (length + to - from > kept.length) {
        kept = Buffer.concat([kept.subarray(0, length)], Math.max(kept.length * 2, length + to - from));
      }
      added.copy(kept, length, from, to);
      length += to - from;
    },
    flush: async () => {
      const piece = kept.subarray(0, length);
      hash.update(piece);
      await writeAll(handle, piece).catch((error: unknown) => refuseWrite(path, error));
      bytes += length;
      length = 0;
    },
    written: () => ({ sha256: hash.digest('hex'), bytes }),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}
