import type { BackupPlace } from '../../backup/place.ts';
import type { OfferlineError } from '../../errors.ts';
import type { Db } from '../../ledger/ledger.ts';
import { noteTakenOver, takenOver } from '../../ledger/maintenance/restored.ts';

/** Notes that another ledger goes on, as the place of the backups says; gives the error that says so. */
export async function standBack(
  db: Db,
  { takenBy, at }: { takenBy: string; at: number },
  { where }: Pick<BackupPlace, 'where'>,
  now: number,
): Promise<OfferlineError> {
  const said = `it took over the backups in ${where} on ${new Date(at).toISOString()}`;
  await noteTakenOver(db, takenBy, said, now);
  return takenOver(takenBy, said);
}
