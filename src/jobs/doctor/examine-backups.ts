import { openBackupPlace } from '../../app/backup/open-place.ts';
import { assertOutsideHome } from '../../app/backup/outside-home.ts';
import { backupsIn, readManifest } from '../../backup/manifest.ts';
import { nextDue } from '../../calendar/next-due.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { archivePlaceOf } from '../../config/parse/archive-address.ts';
import type { BackupSettings } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { dueClock } from '../../ledger/due-clock.ts';
import { counted, showTime, span } from '../../wording/words.ts';
import { isAhead } from '../maintenance/back-up.ts';

/**
 * Whether the place of the scheduled backups can be reached, of when its newest one is, and when the next one is due; fails where there is none, and where it is
 * late or of the future.
 */
export async function examineBackups(
  settings: BackupSettings,
  { env, home }: LoadedConfig,
  ctx: Pick<Context, 'ledger' | 'clock'>,
): Promise<string> {
  const to = archivePlaceOf('backup.to', settings.to);
  await assertOutsideHome(to, home);
  const place = await openBackupPlace(to, env, { make: false }).catch((error: unknown) => {
    if (to.type !== 'folder' || !(error instanceof OfferlineError) || error.code !== 'not-found') throw error;
    throw new OfferlineError(
      'not-found',
      `There is no folder ${to.folder}, and no backup has been made there yet. A running \`offerline up\` makes both at once.`,
      { cause: error },
    );
  });
  try {
    const all = await backupsIn(place);
    if (all.length === 0) {
      throw new OfferlineError(
        'not-found',
        `There is no backup in ${place.where} yet. A running \`offerline up\` makes the first one at once.`,
      );
    }
    const { at, lost } = await readManifest(place, null);
    const now = await dueClock(ctx);
    const due = nextDue(settings, at);
    if (isAhead(at, now)) throw ofFuture(place.where, at, now);
    if (now - due > settings.tolerance) throw late(place.where, at, due, now);
    const lacks = lost.length === 0 ? '' : `, which lacks ${counted(lost.length, 'file')}`;
    return `${place.where} has ${counted(all.length, 'backup')}, the newest of ${showTime(at)}${lacks}; the next one is due ${showTime(due)}`;
  } finally {
    await place.close();
  }
}

function ofFuture(where: string, at: number, now: number): OfferlineError {
  return new OfferlineError(
    'conflict',
    `The newest backup in ${where} is of ${showTime(at)}, and the clock here shows ${showTime(now)}: one of the two clocks was wrong. Set the clocks of all machines (NTP). A running \`offerline up\` then makes another backup at once; it counts as the newer one.`,
  );
}

function late(where: string, at: number, due: number, now: number): OfferlineError {
  return new OfferlineError(
    'conflict',
    `The newest backup in ${where} is of ${showTime(at)}; the one that was due ${showTime(due)} is late by ${span(now - due)}. A running \`offerline up\` makes it; if one runs, its log and \`offerline incidents\` say what keeps it from that.`,
  );
}
