import { writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { refuseWrite } from '../../../io/text-writer.ts';

/** A file that is written from its beginning, row by row. */
export type ByteOutput = AsyncDisposable & {
  /** What is not in the file yet, in its first `length` bytes. */
  bytes: Buffer;
  length: number;
  /** Makes room for so many bytes more, in memory; throws when the file is larger than it may be. */
  reserve: (more: number) => void;
  /** Copies bytes, which need no room of their own. */
  copy: (from: Buffer, start: number, end: number) => void;
  text: (text: string) => void;
  /** Begins to write what is not in the file yet, if it is enough, and waits for what it began before; with `all` until everything is written. */
  flush: (all?: boolean) => Promise<void>;
  /** Bytes that are in the file or on their way. */
  written: number;
};

const ENOUGH = 1 << 20;
/** With more in memory nothing is waited for: rows of a few bytes may get cells of a million each. */
const MOST_KEPT = 32 << 20;
/** Shorter pieces are copied faster byte by byte. */
const SHORT = 24;

/** How large the file may be, and what is thrown when it is larger. */
export type Limit = { most: number; tooLarge: () => Error };

/** Creates or empties a file. Throws `disk-full`, here, from `flush` or while it is written, when there is no space for it. */
export async function openByteOutput(path: string, { most, tooLarge }: Limit): Promise<ByteOutput> {
  const handle = await open(path, 'w').catch((error: unknown) => refuseWrite(path, error));
  /** What is on its way to the file, and what went wrong with it. */
  let writing: Promise<unknown> = Promise.resolve(null);
  let spare: Buffer = Buffer.allocUnsafe(2 * ENOUGH);
  const output: ByteOutput = {
    bytes: Buffer.allocUnsafe(2 * ENOUGH),
    length: 0,
    written: 0,
    reserve: (more) => {
      if (output.written + output.length > most) throw tooLarge();
      if (output.length > MOST_KEPT) writeNow();
      const needed = output.length + more;
      if (needed <= output.bytes.length) return;
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * output.bytes.length));
      output.bytes.copy(larger, 0, 0, output.length);
      output.bytes = larger;
    },
    copy: (from, start, end) => {
      output.reserve(end - start);
      if (end - start > SHORT) from.copy(output.bytes, output.length, start, end);
      else for (let at = start; at < end; at += 1) output.bytes[output.length + at - start] = from[at]!;
      output.length += end - start;
    },
    text: (text) => {
      output.reserve(3 * text.length);
      output.length += output.bytes.write(text, output.length);
    },
    flush: async (all = false) => {
      if (output.length < ENOUGH && !all) return;
      await settled();
      const { bytes, length, written } = output;
      writing = writeAll(handle, bytes.subarray(0, length), written).then(
        () => null,
        (error: unknown) => error,
      );
      [output.bytes, spare, output.length, output.written] = [spare, bytes, 0, written + length];
      if (all) await settled();
    },
    [Symbol.asyncDispose]: async () => {
      await writing;
      await handle.close();
    },
  };
  const settled = async () => {
    const error = await writing;
    if (error !== null) refuseWrite(path, error);
  };
  const writeNow = () => {
    try {
      for (let at = 0; at < output.length;)
        at += writeSync(handle.fd, output.bytes, at, output.length - at, output.written + at);
    } catch (error) {
      refuseWrite(path, error);
    }
    output.written += output.length;
    output.length = 0;
  };
  return output;
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
}
