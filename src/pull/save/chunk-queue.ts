import { Writable } from 'node:stream';

/** Chunks that wait to be read, before the line has to wait for them. */
const MOST = 16;

/**
 * The chunks of a transfer as they come, each for itself: a stream of bytes would join those that wait, which copies each byte. What
 * came before the line broke is read before the error is thrown, so that the transfer can go on from there.
 */
export class ChunkQueue extends Writable implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #goOn: (() => void) | undefined;
  #heard: (() => void) | undefined;
  #isOver = false;
  #failed: Error | null = null;

  constructor() {
    super({ highWaterMark: 1 });
    this.on('error', () => undefined);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    if (this.#chunks.length < MOST) done();
    else this.#goOn = done;
    this.#heard?.();
  }

  override _final(done: () => void): void {
    this.#isOver = true;
    this.#heard?.();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#failed = error;
    this.#isOver = true;
    this.#heard?.();
    done(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#goOn?.();
          this.#goOn = undefined;
          yield chunk;
        } else if (this.#isOver) break;
        else await this.#more();
      }
      if (this.#failed !== null) throw this.#failed;
    } finally {
      this.destroy();
    }
  }

  #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#heard = resolve;
    return promise;
  }
}
