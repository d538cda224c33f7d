import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import { archivePlace, type ArchivePlace } from './archive-place.ts';
import { assertLedgerThere, bindArchive } from './bind-archive.ts';
import { assertNotRestoredElsewhere } from './backup/restored-home.ts';
import { scheduledBackups } from './backup/scheduled-backups.ts';
import { machineClock } from '../clock.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Context } from '../context.ts';
import { createGauges } from '../gauge.ts';
import { openHome } from './home.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import type { MailSender } from '../notify/sender.ts';
import { openService } from './open-service.ts';

/** A context and how to let go of it. */
export type OpenContext = { ctx: Context; close: () => Promise<void> };

/**
 * Builds what stages and jobs share: ledger, archive, service and mail, as the configuration says. `isPrivate`: the home is not that of the configuration but a
 * new one, which may begin whatever was restored with the configuration.
 */
export async function openContext(
  loaded: LoadedConfig,
  log: Log,
  { isPrivate = false }: { isPrivate?: boolean } = {},
): Promise<OpenContext> {
  process.umask(await openHome(loaded.home, log));
  const [{ openLedger }, { openCallBook }, { openMail }] = await Promise.all([
    import('../ledger/ledger.ts'),
    import('../ledger/calls/call-book.ts'),
    import('../notify/transport.ts'),
  ]);
  const file = join(loaded.home, 'ledger.sqlite');
  const place = await archivePlace(loaded);
  if (loaded.databaseUrl === undefined) {
    await assertLedgerThere(file, place.identity);
    if (!isPrivate) await assertNotRestoredElsewhere(loaded);
  }
  const ledger = await openLedger({ file, databaseUrl: loaded.databaseUrl });
  const archive = await openBound(place, ledger);
  const calls = openCallBook(ledger, log);
  const service = await openService(loaded, log, calls);
  let mail: Promise<MailSender> | undefined;
  const ctx: Context = {
    config: loaded.config,
    home: loaded.home,
    redisPrefix: loaded.redisPrefix,
    sandbox: loaded.sandbox,
    log,
    clock: machineClock((ms) => log.warn({ ms }, 'the clock jumped')),
    ledger,
    archive,
    calls,
    offers: service.offers,
    service: service.service,
    mail: () => (mail ??= openMail({ smtpUrl: loaded.smtpUrl, outbox: join(loaded.home, 'outbox') })),
    replaced: async (asked) => (await import('./backup/replaced-at.ts')).replacedAt(loaded, ledger, asked),
    backups: scheduledBackups(loaded, log),
    gauges: createGauges(),
    owner: `${hostname()}-${process.pid}-${randomUUID()}`,
  };
  return {
    ctx,
    close: async () => {
      (await mail?.catch(() => undefined))?.close();
      await service.close();
      await calls.flush();
      await ledger.close();
      await place.close();
    },
  };
}

/** The archive, when it belongs to the ledger; the ledger is closed when it does not. */
async function openBound({ identity, open }: ArchivePlace, ledger: Ledger): Promise<Archive> {
  try {
    const archive = await open(ledger);
    await bindArchive(identity, ledger);
    return archive;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}
