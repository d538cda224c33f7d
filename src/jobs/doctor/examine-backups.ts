import { openBackupPlace } from '../../app/backup/open-place.ts';
import { assertOutsideHome } from '../../app/backup/outside-home.ts';
import { backupsIn, readManifest } from '../../backup/manifest.ts';
import { nextDue } from '../../calendar/next-due.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { archivePlaceOf } from '../../config/parse/archive-address.ts';
import type { BackupSettings } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import { counted, showTime } from '../../wording/words.ts';

/** Whether the place of the scheduled backups can be reached, of when its newest one is, and when the next one is due; fails where there is none. */
export async function examineBackups(settings: BackupSettings, { env, home }: LoadedConfig): Promise<string> {
  const to = archivePlaceOf('backup.to', settings.to);
  await assertOutsideHome(to, home);
  const place = await openBackupPlace(to, env, { make: false });
  try {
    const all = await backupsIn(place);
    if (all.length === 0) {
      throw new OfferlineError(
        'not-found',
        `There is no backup in ${place.where} yet. A running \`offerline up\` makes the first one.`,
      );
    }
    const { at, lost } = await readManifest(place, null);
    const lacks = lost.length === 0 ? '' : `, which lacks ${counted(lost.length, 'file')}`;
    const next = showTime(nextDue(settings, at));
    return `${place.where} has ${counted(all.length, 'backup')}, the newest of ${showTime(at)}${lacks}; the next one is due ${next}`;
  } finally {
    await place.close();
  }
}
