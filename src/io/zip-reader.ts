import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

const PIECE_BYTES = 64 * 1024;

type Done = (error: Error | null, bytes?: number) => void;

/**
 * Opens a zip archive. An archive may claim that something is further away than any file reaches; Node throws at such a
 * place, and yauzl, which reads from callbacks, lets that end the process. Here it is an error of the archive.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await fromRandomAccessReaderPromise(new BoundedReader(file, size), size, {
      decodeStrings: false,
      autoClose: false,
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

class BoundedReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: Done): void {
    if (position < 0 || position + length > this.#size) {
      setImmediate(done, new Error(`it refers to byte ${position}, beyond its end`));
      return;
    }
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => setImmediate(done, null, bytesRead),
      (error: Error) => setImmediate(done, error),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(pieces(this.#file, start, end), { objectMode: false });
  }

  override close(done: Done): void {
    this.#file.close().then(
      () => setImmediate(done, null),
      (error: Error) => setImmediate(done, error),
    );
  }
}

/** A range of the file; unlike Node's streams, it leaves the file open when reading stops early. */
async function* pieces(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const length = Math.min(PIECE_BYTES, end - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
