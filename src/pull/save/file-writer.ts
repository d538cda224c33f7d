import { openThread, type Thread } from '../../threads/thread.ts';
import { DigestedFile } from './digested-file.ts';

/** Bytes that are written at once. */
const BLOCK = 1024 * 1024;

/**
 * Writes a file and digests it while its next bytes come: a file of more than one block in a thread of its own, so that neither
 * the line nor the leases of this process wait for the disk.
 */
export class FileWriter implements AsyncDisposable {
  readonly #target: string;
  readonly #from: number;
  readonly #signal: AbortSignal | undefined;
  #block = new Uint8Array(new SharedArrayBuffer(BLOCK));
  #spare = new Uint8Array(new SharedArrayBuffer(BLOCK));
  #filled = 0;
  #written: number;
  #thread: Thread | undefined;
  /** What the thread is at. */
  #working: Promise<unknown> = Promise.resolve();

  /** Begins a file, or goes on behind its first `from` bytes. */
  constructor(target: string, from: number, signal?: AbortSignal) {
    this.#target = target;
    this.#from = from;
    this.#written = from;
    this.#signal = signal;
    if (from > 0) this.#begin();
  }

  /** Bytes that are in the file. */
  get written(): number {
    return this.#written;
  }

  /** Takes the bytes, which may be overwritten afterwards; undefined unless a block is full, which has to wait for the one before. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#filled + bytes.length > BLOCK) return this.#writeOn(bytes);
    this.#block.set(bytes, this.#filled);
    this.#filled += bytes.length;
    return undefined;
  }

  /** Ends the file; answers the digest of the whole. */
  async close(): Promise<string> {
    if (this.#thread === undefined) {
      const file = new DigestedFile(this.#target, 0);
      file.write(this.#block.subarray(0, this.#filled));
      this.#written = this.#filled;
      return file.close();
    }
    await this.flush();
    return await this.#run<string>('close', null);
  }

  /** Waits until all that came is in the file. */
  async flush(): Promise<void> {
    await this.#writeBlock();
    await this.#working;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]();
  }

  async #writeOn(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0;) {
      const part = rest.subarray(0, BLOCK - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      rest = rest.subarray(part.length);
      if (this.#filled === BLOCK) await this.#writeBlock();
    }
  }

  async #writeBlock(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled);
    if (this.#thread === undefined) this.#begin();
    await this.#working;
    this.#working = this.#run<void>('write', block).then(() => void (this.#written += block.length));
    // Awaited with the next block; one that nobody awaits any more is told by nobody.
    this.#working.catch(() => undefined);
    [this.#block, this.#spare] = [this.#spare, this.#block];
    this.#filled = 0;
  }

  #begin(): void {
    this.#thread = openThread(new URL('./write-in-thread.ts', import.meta.url));
    this.#working = this.#run('begin', { target: this.#target, from: this.#from });
    this.#working.catch(() => undefined);
  }

  #run<Output>(task: 'begin' | 'write' | 'close', input: unknown): Promise<Output> {
    return this.#thread!.run<Output>(task, input, this.#signal);
  }
}
