import { takerOf, type Successor } from '../../backup/owner.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { archivePlaceOf, type CopyPlace } from '../../config/parse/archive-address.ts';
import type { OfferlineError } from '../../errors.ts';
import { readNote } from '../../ledger/alerts/notes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { successorOf } from '../../ledger/maintenance/restored.ts';
import { openBackupPlace } from './open-place.ts';
import { standBack } from './stand-back.ts';

/**
 * The error for an installation in whose place another one goes on, as the places of its backups say: that of the configuration and, as far as they are
 * folders, those that it was backed up to by hand. Null where none says so; a place that cannot be asked says nothing. `remote`: also asks buckets.
 */
export async function replacedAt(
  { config, env }: Pick<LoadedConfig, 'config' | 'env'>,
  { db, id }: Ledger,
  { remote }: { remote: boolean },
): Promise<OfferlineError | null> {
  const scheduled = config.backup === undefined ? [] : [archivePlaceOf('backup.to', config.backup.to)];
  const byHand = Object.keys((await readNote(db, 'backups')) ?? {}).filter((place) => place.startsWith('/'));
  const places: CopyPlace[] = [...scheduled, ...byHand.map((folder) => ({ type: 'folder', folder }) as const)];
  const restored = await successorOf(db);
  for (const place of places.filter(({ type }) => remote || type === 'folder')) {
    const taken = await takerAt(place, env, id, restored).catch(() => null);
    if (taken !== null) return standBack(db, taken, taken, Date.now());
  }
  return null;
}

async function takerAt(at: CopyPlace, env: NodeJS.ProcessEnv, ledger: string, restored: Successor | null) {
  const place = await openBackupPlace(at, env, { make: false });
  try {
    const taken = await takerOf(place, ledger, restored);
    return taken === null ? null : { ...taken, where: place.where };
  } finally {
    await place.close();
  }
}
