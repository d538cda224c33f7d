import type { Listed } from '../choose/choose.ts';
import { tooLarge } from '../save/save.ts';
import { cleanName } from '../source.ts';
import { type Brought, deliveryName } from './pack.ts';

/** Bytes around each file of an archive, beside its name twice. */
const AROUND = 128;

/**
 * Brings the files of a delivery, one after the other; null when one vanished or was changed meanwhile. Throws `file-rejected` as soon as it
 * shows that they are larger than the limit together: by the sizes that the place tells, and those of what has come.
 */
export async function bringAll<T extends Listed>(
  files: T[],
  place: { name: string; bring: (file: T) => Promise<Brought | null> },
  limit: number,
): Promise<Brought[] | null> {
  const told = files.map((file) => (file.inexact === true ? 0 : file.size));
  const large = files.find((_, at) => told[at]! > limit);
  if (large !== undefined) throw tooLarge(`${place.name}/${cleanName(large.name)}`, `${large.size} bytes`, limit);
  let sum = told.reduce((all, size) => all + size, aroundAll(files));
  const brought: Brought[] = [];
  const assertFits = () => {
    if (sum <= limit) return;
    const isWhole = files.slice(brought.length).every(({ inexact }) => inexact !== true);
    throw tooLarge(deliveryName(files), isWhole ? `${sum} bytes` : `more than ${sum} bytes`, limit);
  };
  assertFits();
  for (const [at, file] of files.entries()) {
    const one = await place.bring(file);
    if (one === null) return null;
    brought.push(one);
    sum += one.bytes - told[at]!;
    assertFits();
  }
  return brought;
}

/** What an archive has beside the bytes of its files; a single file is in none. */
function aroundAll(files: Listed[]): number {
  if (files.length === 1) return 0;
  return files.reduce((all, { name }) => all + 2 * Buffer.byteLength(name) + AROUND, AROUND);
}
