import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { messageOf, systemCode } from '../errors.ts';

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

/** What is wrong with an archive, by what yauzl calls it. */
const DAMAGES: [said: RegExp, why: string][] = [
  [/^Invalid comment length/, 'there is other data behind its end'],
  [/^End of central directory record signature not found/, 'its directory, which stands at its end, is missing'],
  [/^multi-disk/, 'it is one part of several'],
  [/local file header|overflows file bounds|unexpected EOF/, 'its files are not where its directory says'],
  [/^(?:too many|not enough) bytes in the stream/, 'a file in it has another size than its directory says'],
];

/** Why a zip file cannot be read, in our words, from what yauzl or zlib complains about. */
export function zipDamage(cause: unknown): string {
  if (systemCode(cause) !== undefined) return 'its packed data is damaged';
  const said = messageOf(cause);
  return DAMAGES.find(([pattern]) => pattern.test(said))?.[1] ?? 'its directory is damaged';
}
