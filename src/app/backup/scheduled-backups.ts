import type { LoadedConfig } from '../../config/load.ts';
import { addressOf, archivePlaceOf } from '../../config/parse/archive-address.ts';
import type { ScheduledBackups } from '../../context.ts';
import type { Log } from '../../log.ts';
import { shownPlace } from '../archive-place.ts';

/** How to make the backups that a configuration asks for; null when it asks for none. */
export function scheduledBackups(loaded: LoadedConfig, log: Log): ScheduledBackups | null {
  const settings = loaded.config.backup;
  if (settings === undefined) return null;
  const to = archivePlaceOf('backup.to', settings.to);
  return {
    settings,
    where: shownPlace(to),
    address: addressOf(to),
    make: async (options) => {
      const [{ backupOf, installationOf }, { openBackupPlace }, { assertOutsideHome }] = await Promise.all([
        import('./back-up.ts'),
        import('./open-place.ts'),
        import('./outside-home.ts'),
      ]);
      await assertOutsideHome(to, loaded.home);
      const place = await openBackupPlace(to, loaded.env, { make: true, of: loaded });
      try {
        const of = await installationOf(loaded);
        const { manifest, copied, removed } = await backupOf(of, place, {
          ...options,
          keep: settings.keep ?? null,
          log,
        });
        const { id: backup, files, lost } = manifest;
        return { backup, files, copied: copied.files, lost: lost.length, removed: removed.backups.length };
      } finally {
        await place.close();
      }
    },
  };
}
