import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive } from '../../src/archive/folder.ts';
import { OfferlineError } from '../../src/errors.ts';

/** Puts more into the archive than its disk holds, and tells what came of it. */
const folder = process.argv[2] ?? '';
const archive = await openArchive(folder);
const megabytes = async function* () {
  for (let n = 0; n < 4; n += 1) yield Buffer.alloc(1_000_000);
};
try {
  await archive.put(megabytes());
} catch (error) {
  if (!(error instanceof OfferlineError)) throw error;
  const { code, retryable, message } = error;
  const told = { code, retryable, message, names: readdirSync(folder), left: readdirSync(join(folder, 'tmp')) };
  process.stdout.write(JSON.stringify(told));
}
