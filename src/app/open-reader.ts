import { hostname } from 'node:os';
import { join } from 'node:path';
import { machineClock } from '../clock.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import type { Gauges } from '../gauge.ts';
import { temporaryFolder } from '../io/temporary-folder.ts';
import { NO_CALLS } from '../ledger/calls/call-book.ts';
import { openReader } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import { archiveQuestions } from './archive-place.ts';
import type { OpenContext } from './open-context.ts';
import { openService } from './open-service.ts';

/**
 * Opens an installation that is at work for questions, over a connection of its own; nothing of it can be changed over it. `gauges`:
 * those of the process that works.
 */
export async function openReading(loaded: LoadedConfig, log: Log, gauges: Gauges): Promise<OpenContext> {
  const ledger = await openReader({ file: join(loaded.home, 'ledger.sqlite'), databaseUrl: loaded.databaseUrl });
  const service = await openService(loaded, log, NO_CALLS);
  const refuse = () => Promise.reject(new OfferlineError('internal', 'The archive is only read here.'));
  const ctx: Context = {
    config: loaded.config,
    home: loaded.home,
    redisPrefix: loaded.redisPrefix,
    sandbox: loaded.sandbox,
    log,
    // Nothing is mended or set aside over it: what is damaged is said, and a process that may write deals with it.
    partialArchive: true,
    clock: machineClock(() => undefined),
    ledger,
    archive: {
      put: refuse,
      adopt: refuse,
      remove: refuse,
      removeOlder: refuse,
      setAside: refuse,
      takeBack: refuse,
      list: () => {
        throw new OfferlineError('internal', 'The archive is only asked for single files here.');
      },
      tempFolder: () => temporaryFolder('read'),
      ...(await archiveQuestions(loaded)),
    },
    calls: NO_CALLS,
    offers: service.offers,
    service: service.service,
    mail: () => Promise.reject(new OfferlineError('internal', 'No mail is sent here.')),
    replaced: () => Promise.resolve(null),
    backups: null,
    gauges,
    owner: `${hostname()}-${process.pid}-reader`,
  };
  return {
    ctx,
    close: async () => {
      await service.close();
      await ledger.close();
    },
  };
}
