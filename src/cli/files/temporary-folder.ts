import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, OfferlineError } from '../../errors.ts';

/** Makes a folder for temporary files, whose caller removes it. Throws `usage` when there is no place for it. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const place = tmpdir();
  return mkdtemp(join(place, prefix)).catch((error: unknown) => {
    const message = `Cannot keep temporary files in ${place}: ${messageOf(error)}. Name another folder with TMPDIR.`;
    throw new OfferlineError('usage', message, { cause: error });
  });
}
