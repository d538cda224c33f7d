import { statSync } from 'node:fs';
import { readPieces } from '../../io/read-pieces.ts';

/** The comment of the archives that the program makes of several files of a place: they are read as one list, whatever the settings say. */
export const SEVERAL_FILES = 'offerline: several files of one delivery';

/** Whether the program has made an archive of several files of a place. */
export function hasSeveralFiles(path: string): boolean {
  const length = Buffer.byteLength(SEVERAL_FILES);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true || info.size <= length) return false;
  return readPieces(path, [info.size - length], length)[0]!.toString('latin1') === SEVERAL_FILES;
}
