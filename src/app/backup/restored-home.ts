import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadedConfig } from '../../config/load.ts';
import { isUnwritable, OfferlineError, systemCode } from '../../errors.ts';
import { replaceFile } from '../../io/replace-file.ts';

type Installed = Pick<LoadedConfig, 'file' | 'home' | 'databaseUrl'>;

/** Lies beside a configuration and says where the ledger is that was restored with it. */
const markOf = (file: string) => `${file}.restored`;

const IN_DATABASE = 'the database of DATABASE_URL';

/** Notes beside a configuration where its ledger was restored to; a folder that nobody may write to has none. */
export async function noteRestoredHome({ file, home, databaseUrl }: Installed): Promise<void> {
  try {
    await replaceFile(markOf(file), [`${databaseUrl === undefined ? home : IN_DATABASE}\n`]);
    // Whoever restores may be another user than the one who works.
    await chmod(markOf(file), 0o644);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
  }
}

/**
 * Refuses to make a new ledger in a home where the one of this configuration was restored to another place: a service or a shell with another environment would
 * begin anew, and upload over all that is live. Fails with `conflict`.
 */
export async function assertNotRestoredElsewhere({ file, home }: Installed): Promise<void> {
  if (existsSync(join(home, 'ledger.sqlite'))) return;
  const mark = markOf(file);
  const said = await readFile(mark, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (said === null) return;
  const place = said.trim();
  const advice =
    place === IN_DATABASE
      ? 'Set DATABASE_URL.'
      : 'Name that home with --home or OFFERLINE_HOME, or move it to this one.';
  throw new OfferlineError(
    'conflict',
    `The ledger of ${file} was restored from a backup to ${place}, and ${home} has none. ${advice} To begin anew, without what it knows, remove ${mark}.`,
  );
}
