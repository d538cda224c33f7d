import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { failWriting } from '../../io/text-writer.ts';

/** A file that is written and digested (SHA-256) at once. Each call waits for the disk; failures are `disk-full` or `internal`. */
export class DigestedFile {
  readonly #target: string;
  readonly #hash = createHash('sha256');
  readonly #descriptor: number;

  /** Begins a file, or goes on behind its first `from` bytes, which are digested once more. */
  constructor(target: string, from: number) {
    this.#target = target;
    this.#descriptor = this.#writing(() => openSync(target, from === 0 ? 'w' : 'r+'));
    if (from > 0) this.#writing(() => this.#goOnFrom(from));
  }

  write(bytes: Uint8Array): void {
    this.#writing(() => {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#descriptor, bytes, written);
      }
    });
    this.#hash.update(bytes);
  }

  /** The digest of all that was written, in hex. */
  close(): string {
    closeSync(this.#descriptor);
    return this.#hash.digest('hex');
  }

  #goOnFrom(length: number): void {
    ftruncateSync(this.#descriptor, length);
    const block = Buffer.allocUnsafe(Math.min(length, 1024 * 1024));
    for (let left = length; left > 0;) {
      const read = readSync(this.#descriptor, block, 0, Math.min(left, block.length), null);
      this.#hash.update(block.subarray(0, read));
      left -= read;
    }
  }

  #writing<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      return failWriting(this.#target, error);
    }
  }
}
