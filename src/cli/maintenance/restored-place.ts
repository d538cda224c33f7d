import type { BackupPlace } from '../../backup/place.ts';
import { messageOf } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Io } from '../io.ts';

/** Opens the place of backups that was named. */
export async function openPlace(from: string, io: Io): Promise<BackupPlace> {
  const [{ archivePlaceOf }, { openBackupPlace }] = await Promise.all([
    import('../../config/parse/archive-address.ts'),
    import('../../app/backup/open-place.ts'),
  ]);
  return openBackupPlace(archivePlaceOf('The place', from), io.env, { make: false });
}

/** Who has gone on from the backups of a place before; none is known where it is away. */
export async function termsIn(from: string, io: Io): Promise<string[]> {
  const { termsAt } = await import('../../backup/owner.ts');
  try {
    await using place = await disposable(from, io);
    return await termsAt(place);
  } catch {
    return [];
  }
}

/**
 * Gives the place of the backups to the ledger that goes on. Where that fails, the choice stays, and its first backup there does it. Fails with `conflict` where
 * somebody has chosen at another restore meanwhile, and that one goes on.
 */
export async function handOverPlace(from: string, { db, id }: Pick<Ledger, 'db' | 'id'>, io: Io): Promise<void> {
  const [{ handOver }, { successorOf }, { standBack }] = await Promise.all([
    import('../../backup/owner.ts'),
    import('../../ledger/maintenance/restored.ts'),
    import('../../app/backup/stand-back.ts'),
  ]);
  const restored = await successorOf(db);
  if (restored === null) return;
  let taken: Awaited<ReturnType<typeof handOver>> = null;
  try {
    await using place = await disposable(from, io);
    taken = await handOver(place, id, restored, Date.now());
  } catch (error) {
    io.note(
      `The original does not yet find itself replaced at its backups; the next backup there sees to it. ${messageOf(error)}`,
    );
  }
  if (taken !== null) throw await standBack(db, taken, { where: from }, Date.now());
}

async function disposable(from: string, io: Io): Promise<BackupPlace & AsyncDisposable> {
  const place = await openPlace(from, io);
  return { ...place, [Symbol.asyncDispose]: place.close };
}
