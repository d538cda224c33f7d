import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import { assertLedgerThere, bindArchive } from './bind-archive.ts';
import { machineClock } from '../clock.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { createGauges } from '../gauge.ts';
import { openHome } from './home.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import type { MailSender } from '../notify/sender.ts';
import { openService } from './open-service.ts';

/** A context and how to let go of it. */
export type OpenContext = { ctx: Context; close: () => Promise<void> };

/** Builds what stages and jobs share: ledger, archive, service and mail, as the configuration says. */
export async function openContext(loaded: LoadedConfig, log: Log): Promise<OpenContext> {
  if (loaded.archiveUrl !== undefined) {
    throw new OfferlineError(
      'config',
      'ARCHIVE_URL is set, but this version keeps its archive in OFFERLINE_HOME only. Unset it, or share the folder between machines.',
    );
  }
  process.umask(await openHome(loaded.home, log));
  const [{ openLedger }, { openArchive }, { openMail }] = await Promise.all([
    import('../ledger/ledger.ts'),
    import('../archive/folder.ts'),
    import('../notify/transport.ts'),
  ]);
  const file = join(loaded.home, 'ledger.sqlite');
  const folder = join(loaded.home, 'archive');
  if (loaded.databaseUrl === undefined) await assertLedgerThere(file, folder);
  const ledger = await openLedger({ file, databaseUrl: loaded.databaseUrl });
  const archive = await openBound(() => openArchive(folder), folder, ledger);
  const service = await openService(loaded, log);
  let mail: Promise<MailSender> | undefined;
  const ctx: Context = {
    config: loaded.config,
    home: loaded.home,
    sandbox: loaded.sandbox,
    log,
    clock: machineClock((ms) => log.warn({ ms }, 'the clock jumped')),
    ledger,
    archive,
    offers: service.offers,
    service: service.service,
    mail: () => (mail ??= openMail({ smtpUrl: loaded.smtpUrl, outbox: join(loaded.home, 'outbox') })),
    gauges: createGauges(),
    owner: `${hostname()}-${process.pid}-${randomUUID()}`,
  };
  return {
    ctx,
    close: async () => {
      (await mail?.catch(() => undefined))?.close();
      await service.close();
      await ledger.close();
    },
  };
}

/** The archive, when it belongs to the ledger; the ledger is closed when it does not. */
async function openBound(open: () => Promise<Archive>, folder: string, ledger: Ledger): Promise<Archive> {
  try {
    const archive = await open();
    await bindArchive(folder, ledger);
    return archive;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}
