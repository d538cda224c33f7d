import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { archivedFile, archivePlace } from './archive-place.ts';
import { assertNotRestoredElsewhere } from './backup/restored-home.ts';
import { assertLedgerThere } from './bind-archive.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { LedgerPlace } from '../ledger/maintenance/ask-ledger.ts';
import { readLive } from '../ledger/maintenance/copy-live.ts';
import { timeId } from '../ledger/ids.ts';
import type { Log } from '../log.ts';
import { holdRehearsal, oldRehearsals, rehearsalsIn } from './old-rehearsals.ts';
import { openContext, type OpenContext } from './open-context.ts';
import { takeOver, type Subject } from './take-over.ts';

/** An installation of its own with the real configuration, in which a feed can run without touching anything real. */
export type Rehearsal = OpenContext & {
  /** Its home, a folder of the real one: ledger, archive, outbox, reports, sandbox. */
  home: string;
  /** What differs from the real thing, for people. */
  notes: string[];
};

/** So many rehearsals are kept; an older one leaves when a new one begins, unless it is at work. */
export const KEPT_REHEARSALS = 10;
/** The longest settle window of a rehearsal, in milliseconds. */
const SETTLE = 1000;
/** How soon its sandbox is asked again, and how late at last, in milliseconds. */
const ASK = 100;
const ASK_AT_LAST = 1000;

/**
 * Opens a rehearsal: a private sandbox in which the dataset is live that the real ledger knows to be live, and a ledger that
 * knows it, too. The real ledger is only read.
 */
export async function openRehearsal(subject: Subject, loaded: LoadedConfig, log: Log): Promise<Rehearsal> {
  for (const { path } of await oldRehearsals(loaded.home, { newest: KEPT_REHEARSALS - 1 })) {
    await rm(path, { recursive: true, force: true });
  }
  const home = join(rehearsalsIn(loaded.home), timeId(Date.now()));
  const known = await readLive(await realLedger(loaded), subject.login, subject);
  const { ctx, close } = await openContext(privately(loaded, home), log, { isPrivate: true });
  const release = holdRehearsal(home);
  const opened = { ctx: { ...ctx, partialArchive: true }, close: () => close().finally(release) };
  try {
    const notes =
      known === null ? [] : await takeOver(known, { ...subject, archive: archivedFile(loaded) }, opened.ctx);
    return { ...opened, home, notes };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Where the real ledger is; fails with `ledger` when it has vanished from beside its archive, with `conflict` where it was restored to another home. */
export async function realLedger(loaded: LoadedConfig): Promise<LedgerPlace> {
  const { home, databaseUrl } = loaded;
  const file = join(home, 'ledger.sqlite');
  if (databaseUrl === undefined) {
    const { identity, close } = await archivePlace(loaded);
    try {
      await assertLedgerThere(file, identity);
      await assertNotRestoredElsewhere(loaded);
    } finally {
      await close();
    }
  }
  return { file, databaseUrl };
}

/** The same configuration, with everything that is shared or real replaced by something private. */
function privately(loaded: LoadedConfig, home: string): LoadedConfig {
  // Nothing stands between it and the private sandbox: what that refuses, it has not taken, and it may be asked often.
  const { initial, max, settle } = loaded.config.service.poll;
  const poll = {
    ...loaded.config.service.poll,
    initial: Math.min(initial, ASK),
    max: Math.min(max, ASK_AT_LAST),
    settle: Math.min(settle, SETTLE),
  };
  const service = { ...loaded.config.service, poll, baseUrl: 'sandbox' as const };
  // No other worker comes to a rehearsal: what this machine does not reach fails.
  const serves = Object.values(loaded.config.feeds).flatMap(({ source }) => source.on ?? []);
  return {
    ...loaded,
    config: { ...loaded.config, service, worker: { ...loaded.config.worker, serves }, hooks: {} },
    home,
    sandbox: true,
    redisUrl: undefined,
    databaseUrl: undefined,
    archive: { type: 'folder' },
    smtpUrl: undefined,
  };
}
