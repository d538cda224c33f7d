import { DigestedFile } from './digested-file.ts';

/** The tasks of a thread that writes files, which are told apart by their numbers. */
const files = new Map<number, DigestedFile>();

type OfFile = { file: number };

export function begin({ file, target, from }: OfFile & { target: string; from: number }): void {
  files.set(file, new DigestedFile(target, from));
}

/** The bytes stand in memory that is shared with the thread that asks. */
export function write({ file, bytes }: OfFile & { bytes: Uint8Array }): void {
  opened(file).write(bytes);
}

export function close({ file }: OfFile): string {
  const digest = opened(file).close();
  files.delete(file);
  return digest;
}

/** Closes a file that is given up; one that is not open may be given up, too. */
export function drop({ file }: OfFile): void {
  files.get(file)?.close();
  files.delete(file);
}

function opened(number: number): DigestedFile {
  const file = files.get(number);
  if (file === undefined) throw new Error(`The file ${number} is not open in this thread.`);
  return file;
}
