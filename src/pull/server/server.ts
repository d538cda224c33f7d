import type { FolderSource } from '../../config/schema/source-schema.ts';
import type { Listed } from '../choose/choose.ts';
import type { ResultPlace } from '../result/result-place.ts';
import type { PullInput } from '../source.ts';

/**
 * A place on a server that holds several files, as every protocol shows it while it is connected. Each call may be repeated;
 * errors are `pull-failed`, with `retryable` saying whether waiting may help, and name the place without credentials.
 */
export type ServerFolder = {
  /**
   * The plain files of the place; folders, links and devices are left out. Where a listing shows no exact times, only the
   * files that `wanted` names are asked for theirs.
   */
  list: (wanted: (name: string) => boolean) => Promise<Listed[]>;
  /** Files that the place itself passed over, with the reason, since the last listing; absent where it has no such rules. */
  ignored?: () => { name: string; why: string }[];
  /** Files appear whole and at once, so that nobody waits for one of them to settle. */
  whole?: true;
  /** A file as it is now; undefined when it is gone. */
  look: (file: Listed) => Promise<Listed | undefined>;
  /**
   * The bytes of a file, from a byte on when `resumes`. A connection that ends early throws; a file that is cut short there
   * does not.
   */
  read: (file: Listed, from?: number) => AsyncIterable<Uint8Array>;
  resumes: boolean;
  /** Removes the very file, never one that took its place: then it stays, and `pull-failed` has `details.changed`. */
  remove: (file: Listed) => Promise<void>;
  /**
   * Moves the very file into another folder of the place, which is made if it is missing; as `remove`. No other file is
   * replaced there: the name gets a number then, as in `prices (2).csv`.
   */
  move: (file: Listed, to: string) => Promise<void>;
  /**
   * True for a file that an earlier `remove` or `move` renamed aside before it was cut off, so that it has to go on. Absent
   * where neither renames anything.
   */
  isAside?: (file: Listed) => Promise<boolean>;
  /**
   * All that is gone once this file was moved or deleted, as a pull of `source`, another feed's of this place, would list it; absent
   * where each file goes alone.
   */
  goingWith?: (file: Listed, source: FolderSource) => Promise<Listed[]>;
  /** How files of ours are put there; absent where none are. */
  results?: ResultPlace;
  /** Ends the connection at once, whatever it is doing. */
  close: () => void;
};

/** What is known of a server, for messages; and how one that is busy is waited for, unless by the clock of this process. */
export type ServerPlace = { url: string; timeout: number; wait?: PullInput['wait'] };
