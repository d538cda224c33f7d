import type { Archive } from './archive/archive.ts';
import type { Clock } from './clock.ts';
import type { BackupSettings, Config } from './config/schema/schema.ts';
import type { OfferlineError } from './errors.ts';
import type { Gauges, Meter } from './gauge.ts';
import type { CallBook } from './ledger/calls/call-book.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Log } from './log.ts';
import type { MailSender } from './notify/sender.ts';
import type { Offers } from './service/offers/offers.ts';
import type { Service } from './service/service.ts';

export type { Clock };

/** The backups that a configuration asks for. */
export type ScheduledBackups = {
  settings: BackupSettings;
  /** Their place, as it is shown. */
  where: string;
  /** Their place, as a command names it. */
  address: string;
  /** Makes one, and counts its files: all, those that are new, and those that the archive has lost. Fails as `offerline backup` does. */
  make: (options: {
    now: number;
    meter: Meter;
    signal: AbortSignal;
  }) => Promise<{ backup: string; files: number; copied: number; lost: number; removed: number }>;
};

/** Everything that stages and jobs share; built once per process. */
export type Context = {
  config: Config;
  home: string;
  /** With what the keys of this installation begin in its Redis. */
  redisPrefix: string;
  /** The built-in sandbox serves; every answer, report and mail says so. */
  sandbox: boolean;
  log: Log;
  clock: Clock;
  ledger: Ledger;
  archive: Archive;
  /** What is missing or damaged in the archive is left as it is: a rehearsal has only a part of it, a reader must not mend it. */
  partialArchive?: boolean;
  /** Where calls of the service are noted, for dossiers and figures. */
  calls: CallBook;
  /** The remote offer operations of a login of the configuration. */
  offers: (login: string) => Offers;
  /** Every operation of the remote interface for a login of the configuration; calls that may be repeated are. */
  service: (login: string) => Promise<Service>;
  /** Where mails go; opened at the first one. */
  mail: () => Promise<MailSender>;
  /**
   * The error for an installation in whose place a restored one goes on, as the places of its backups say; null where none does. `remote`: buckets are asked
   * as well.
   */
  replaced: (asked: { remote: boolean }) => Promise<OfferlineError | null>;
  /** Makes the backups that the configuration asks for; null when it asks for none. */
  backups: ScheduledBackups | null;
  /** How far the long work of this process is. */
  gauges: Gauges;
  /** Names this process as the owner of leases. */
  owner: string;
};
