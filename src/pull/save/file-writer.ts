import { DigestedFile } from './digested-file.ts';
import { joinThread, type FileThread } from './writer-threads.ts';

/** Bytes that are written at once. */
const BLOCK = 1024 * 1024;
/** The first block begins with so many, and doubles: of many slow files, few come that far. */
const SMALLEST = 64 * 1024;

/**
 * Writes a file and digests it while its next bytes come: a file of more than one block in a thread, so that neither the line nor
 * the leases of this process wait for the disk.
 */
export class FileWriter implements AsyncDisposable {
  readonly #target: string;
  readonly #from: number;
  readonly #signal: AbortSignal | undefined;
  #block = sharedBytes(SMALLEST);
  /** The other of two whole blocks, once one was written. */
  #spare: Uint8Array | undefined;
  #filled = 0;
  #written: number;
  #thread: FileThread | undefined;
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
    this.#growFor(bytes.length);
    this.#block.set(bytes, this.#filled);
    this.#filled += bytes.length;
    return undefined;
  }

  /** Ends the file; answers the digest of the whole. */
  async close(): Promise<string> {
    if (this.#thread === undefined) return this.#writeWhole();
    await this.flush();
    return await this.#run<string>('close', {});
  }

  /** Waits until all that came is in the file; writes nothing any more once the signal has fired. */
  async flush(): Promise<void> {
    this.#signal?.throwIfAborted();
    if (this.#thread === undefined) return void this.#writeWhole();
    await this.#writeBlock();
    await this.#working;
  }

  /** What the disk does not take must not keep a pull that was stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    const left = this.#thread?.leave();
    if (this.#signal?.aborted !== true) await left;
  }

  /** A file that is no longer than its first block needs no thread. */
  #writeWhole(): string {
    const file = new DigestedFile(this.#target, 0);
    file.write(this.#block.subarray(0, this.#filled));
    this.#written = this.#filled;
    return file.close();
  }

  #growFor(more: number): void {
    let { length } = this.#block;
    if (this.#filled + more <= length) return;
    while (length < this.#filled + more) length *= 2;
    const block = sharedBytes(length);
    block.set(this.#block.subarray(0, this.#filled));
    this.#block = block;
  }

  async #writeOn(bytes: Uint8Array): Promise<void> {
    this.#growFor(BLOCK - this.#filled);
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
    this.#working = this.#run<void>('write', { bytes: block }).then(() => void (this.#written += block.length));
    // Awaited with the next block; one that nobody awaits any more is told by nobody.
    this.#working.catch(() => undefined);
    [this.#block, this.#spare] = [this.#spare ?? sharedBytes(BLOCK), this.#block];
    this.#filled = 0;
  }

  #begin(): void {
    this.#thread = joinThread();
    this.#working = this.#run('begin', { target: this.#target, from: this.#from });
    this.#working.catch(() => undefined);
  }

  #run<Output>(task: 'begin' | 'write' | 'close', input: object): Promise<Output> {
    return this.#thread!.run<Output>(task, input, this.#signal);
  }
}

function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}
