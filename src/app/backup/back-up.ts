import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBackup, type BackupOf, type BackupOptions, type Made } from '../../backup/make-backup.ts';
import { claimPlace } from '../../backup/owner.ts';
import type { BackupPlace } from '../../backup/place.ts';
import { learnedFile } from '../../config/learned/read-learned.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { systemCode } from '../../errors.ts';
import { leaveNote, readNote } from '../../ledger/alerts/notes.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { successorOf } from '../../ledger/maintenance/restored.ts';
import { countedOn, type Prunable, type Retention } from '../../ledger/maintenance/retention.ts';
import type { Log } from '../../log.ts';
import { archiveQuestions } from '../archive-place.ts';
import { assertHome } from '../assert-home.ts';
import { alone, whileNoPrune } from './alone.ts';
import { standBack } from './stand-back.ts';

/** An installation that is backed up, and what it keeps of what its ledger names. */
type Installation = BackupOf & { keep: Retention };

/** What of an installation is backed up; its parts are opened by whoever reads them. */
export async function installationOf(loaded: LoadedConfig): Promise<Installation> {
  await assertHome(loaded);
  const { home, file, databaseUrl, config } = loaded;
  return {
    ledger: { file: join(home, 'ledger.sqlite'), databaseUrl },
    archive: await archiveQuestions(loaded),
    keep: config.keep,
    config: { path: file, text: await readFile(file), learned: await readIfThere(learnedFile(file)) },
    home,
  };
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** What a prune has not marked yet is asked for, not what the next one would leave. */
const NOTHING: Prunable = { deliveries: [], reports: [], datasets: [] };

/**
 * Backs an installation up to a place of its own. Fails with `conflict` while another process does, where the backups of another installation lie, and
 * where an installation that was restored from these backups has taken its place.
 */
export async function backupOf(
  { keep, ...of }: Installation,
  place: BackupPlace,
  { log, ...options }: BackupOptions & { log: Log },
): Promise<Made> {
  const ledger = await openLedger(of.ledger);
  try {
    const restored = await successorOf(ledger.db);
    const claim = async () => {
      const taken = await claimPlace(place, ledger.id, { restored, now: options.now });
      if (taken !== null) throw await standBack(ledger.db, taken, place, options.now);
    };
    await claim();
    const work = (assertAlone: () => Promise<void>) => {
      // A process may be stopped for as long as it takes somebody else to go on in its place.
      const assertMine = async () => {
        await claim();
        await assertAlone();
      };
      return makeBackup(of, place, {
        ...options,
        assertAlone: assertMine,
        whileNoPrune: (look) =>
          whileNoPrune(ledger, { log, signal: options.signal }, async () =>
            look(await countedOn(ledger.db, NOTHING, keep, options.now)),
          ),
      });
    };
    const made = await alone(ledger, work, {
      log,
      signal: options.signal,
    });
    const { id: backup, at, lost } = made.manifest;
    const before = (await readNote(ledger.db, 'backups')) ?? {};
    await leaveNote(ledger.db, 'backups', { ...before, [place.where]: { at, backup, lost: lost.length } });
    return made;
  } finally {
    await ledger.close();
  }
}
