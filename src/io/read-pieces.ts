import { closeSync, openSync, readSync } from 'node:fs';

/** Reads bytes of an open file into a buffer, also where a disk gives fewer at a time; returns how many there were. */
export function readInto(file: number, target: Uint8Array, at: number, length: number, position: number): number {
  let got = 0;
  while (got < length) {
    const read = readSync(file, target, at + got, length - got, position + got);
    if (read === 0) break;
    got += read;
  }
  return got;
}

/**
 * Reads pieces of a file from some places on, each of `length` bytes or what is left of the file. Blocks the thread: a way to the system's
 * threads and back takes longer than reading some hundred KB, so ask for no more than that.
 */
export function readPieces(path: string, starts: number[], length: number): Buffer[] {
  const file = openSync(path, 'r');
  try {
    return starts.map((at) => {
      const piece = Buffer.allocUnsafe(length);
      return piece.subarray(0, readInto(file, piece, 0, length, at));
    });
  } finally {
    closeSync(file);
  }
}

/** Reads the beginning of a file, of that many bytes at most, as `readPieces` does. */
export function readBeginning(path: string, length: number): Buffer {
  return readPieces(path, [0], length)[0]!;
}
