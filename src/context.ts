import type { Archive } from './archive/archive.ts';
import type { Config } from './config/schema.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Log } from './log.ts';
import type { MailSender } from './notify/transport.ts';
import type { Offers } from './service/offers/offers.ts';

/** Time as the program sees it; tests give their own. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  /** Waits; ends early, without an error, when the signal fires. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Everything that stages and jobs share; built once per process. */
export type Context = {
  config: Config;
  home: string;
  /** The built-in sandbox serves; every answer, report and mail says so. */
  sandbox: boolean;
  log: Log;
  clock: Clock;
  ledger: Ledger;
  archive: Archive;
  /** The remote offer operations of a login of the configuration. */
  offers: (login: string) => Offers;
  /** Where mails go; opened at the first one. */
  mail: () => Promise<MailSender>;
  /** Names this process as the owner of leases. */
  owner: string;
};
