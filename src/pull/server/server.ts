import type { Listed } from '../choose/choose.ts';

/**
 * A folder on a server, as every protocol shows it while it is connected. Nothing is ever changed there. Each call may be
 * repeated; errors are `pull-failed`, with `retryable` saying whether waiting may help, and name the place without
 * credentials.
 */
export type ServerFolder = {
  /**
   * The plain files of the folder; folders, links and devices are left out. Where a listing shows no exact times, only the
   * files that `wanted` names are asked for theirs.
   */
  list: (wanted: (name: string) => boolean) => Promise<Listed[]>;
  /** A file as it is now; undefined when it is gone. */
  look: (name: string) => Promise<Listed | undefined>;
  /** The bytes of a file. A connection that ends early throws; a file that is cut short does not. */
  read: (name: string) => AsyncIterable<Uint8Array>;
  /** Ends the connection at once, whatever it is doing. */
  close: () => void;
};

/** What is known of a server, for messages. */
export type ServerPlace = { url: string; timeout: number };
