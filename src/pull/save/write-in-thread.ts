import { DigestedFile } from './digested-file.ts';

/** The tasks of a thread that writes one file. */
let file: DigestedFile;

export function begin({ target, from }: { target: string; from: number }): void {
  file = new DigestedFile(target, from);
}

/** The bytes stand in memory that is shared with the thread that asks. */
export function write(bytes: Uint8Array): void {
  file.write(bytes);
}

export function close(): string {
  return file.close();
}
