import { takerOf, type Successor } from '../../backup/owner.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { archivePlaceOf, type CopyPlace } from '../../config/parse/archive-address.ts';
import type { OfferlineError } from '../../errors.ts';
import { readNote } from '../../ledger/alerts/notes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { successorOf } from '../../ledger/maintenance/restored.ts';
import { openBackupPlace } from './open-place.ts';
import { standBack } from './stand-back.ts';

/** How long a place may keep a process that starts, or a command, from its work, in milliseconds. */
const PATIENCE = 5000;

/**
 * The error for an installation in whose place another one goes on, as the places of its backups say: that of the configuration and, as far as they are
 * folders, those that it was backed up to by hand. Null where none says so; a place that cannot be asked says nothing. `remote`: also asks buckets, and no
 * place for longer than a few seconds.
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
    const ask = (signal?: AbortSignal) => takerAt(place, env, id, restored, signal).catch(() => null);
    const taken = remote ? await soon(ask) : await ask();
    if (taken !== null) return standBack(db, taken, taken, Date.now());
  }
  return null;
}

/** What is answered in time; null for what is not. */
function soon<T>(ask: (signal: AbortSignal) => Promise<T | null>): Promise<T | null> {
  const signal = AbortSignal.timeout(PATIENCE);
  const late = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  return Promise.race([ask(signal), late]);
}

async function takerAt(
  at: CopyPlace,
  env: NodeJS.ProcessEnv,
  ledger: string,
  restored: Successor | null,
  signal?: AbortSignal,
) {
  const place = await openBackupPlace(at, env, { make: false });
  try {
    const taken = await takerOf(place, ledger, restored, signal);
    return taken === null ? null : { ...taken, where: place.where };
  } finally {
    await place.close();
  }
}
