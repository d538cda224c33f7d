import { createHash } from 'node:crypto';
import type { Limits } from '../config/schema/schema.ts';
import type { SourceConfig } from '../config/schema/source-schema.ts';
import { folderIdOf, GOOGLE } from '../config/schema/sources/drive.ts';
import { GRAPH } from '../config/schema/sources/graph.ts';
import type { Listed, Remark, WaitingChanges } from './choose/choose.ts';
import type { Past } from './choose/past.ts';
import type { Meter } from '../gauge.ts';
import type { Checkpoint } from '../ledger/schema/json-values.ts';

export { cleanName } from '../io/file-name.ts';

export type { Checkpoint } from '../ledger/schema/json-values.ts';

/**
 * The contract of every kind of source.
 *
 * A source brings the supplier's current file to `target`, byte for byte, or says why there is none. It may be called
 * again at any time, with the same or an older checkpoint, and then brings the same file again: a pull that was killed,
 * or whose result was lost, is simply repeated. A pull changes nothing at the supplier's: that is left to `acknowledge`, once
 * archive and ledger have the file.
 *
 * `checkpoint` is what the last pull returned, kept by the caller only once the file is safe in the archive; null asks
 * for the file whatever was pulled before. A checkpoint of another source (the configuration was changed) is ignored.
 * `unchanged` and `nothing` leave `target` alone; a pull that throws leaves no half a file there.
 *
 * Errors: `pull-failed` with `retryable` saying whether waiting may help (the caller owns the policy of retries; what the
 * server asked for is in `details.retryAfterMs`), `file-rejected` for a file over `limits.fileSize` or, packed for the transfer,
 * `limits.unpackRatio`, `disk-full`, `interrupted` when `signal` was aborted. Messages name the place without credentials.
 */

export type PullInput = {
  checkpoint: Checkpoint | null;
  /** Where the bytes are written; an existing file is replaced. */
  target: string;
  limits: Pick<Limits, 'fileSize' | 'unpackRatio'>;
  signal?: AbortSignal | undefined;
  /** Is called as bytes come from the supplier. */
  received?: ((bytes: number) => void) | undefined;
  /** Counts the bytes of the file, and is told how many there are where that is known. */
  meter?: Meter | undefined;
  /** What is known of the place from earlier pulls; absent when the newest is wanted whatever was taken before. */
  past?: Past | undefined;
  /** Epoch milliseconds. */
  now: () => number;
  /** What was pushed to the feed; absent for sources of other kinds. */
  pushed?: PushedFiles | undefined;
  /** A delivery of several files is taken although some are missing. */
  partial?: boolean;
  /** The charset of a text that is no Unicode, as that of a list is found; absent: such a text is read as UTF-8. */
  charsetOf?: ((text: Buffer) => Promise<string>) | undefined;
  /** Waits for a number of milliseconds; ends early when the signal fires. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** What was pushed to a feed and is kept: of each name the newest file, of changes all. `id` tells files of one name apart. */
export type PushedFiles = {
  list: () => Promise<Listed[]>;
  /** What takes the place of a file that was listed; undefined when there is none. */
  look: (file: Listed) => Promise<Listed | undefined>;
  /** The bytes of a file that was listed. */
  read: (file: Listed) => AsyncIterable<Uint8Array>;
};

export type PulledFile = {
  kind: 'file';
  /** The supplier's name for the file, without folders and control characters. */
  name: string;
  /** The target. */
  path: string;
  bytes: number;
  sha256: string;
  checkpoint: Checkpoint;
  /** Names of older files that were passed over for this one. */
  superseded: string[];
  /**
   * The file and those that it superseded as the place shows them; null where nothing was chosen among. `also`: the other files of a delivery
   * of several.
   */
  listed: { taken: Listed; also?: Listed[]; superseded: Listed[] } | null;
  /** When the supplier last changed the file, if that is known; epoch milliseconds. */
  modifiedAt: number | null;
  /** Absent where no changes are taken. */
  waiting?: WaitingChanges;
  /** What is to be said of files, such as why they were passed over. */
  remarks?: Remark[];
  /** Results that were found there meanwhile, by what they end with. */
  results?: Listed[];
};

/** Some files of a delivery are there, and what is missing, in words. */
export type Incomplete = { there: string[]; missing: string[] };

/** There is no new file; `near` names newer ones that almost fit the pattern. */
type NotPulled = (
  | { kind: 'unchanged'; checkpoint: Checkpoint }
  | {
      kind: 'nothing';
      reason: string;
      incomplete?: Incomplete;
      /** Files are there that cannot be taken yet, though nothing says that more have to come. */
      waits?: true;
    }
) & {
  near?: string[];
  waiting?: WaitingChanges;
  remarks?: Remark[];
  results?: Listed[];
};

export type Pulled = PulledFile | NotPulled;

/** Tells sources apart without showing their address, which may hold a secret. */
export function originOf(source: SourceConfig): string {
  return createHash('sha256')
    .update(`${source.type}\n${addressOf(source)}`)
    .digest('hex')
    .slice(0, 16);
}

function addressOf(source: SourceConfig): string {
  switch (source.type) {
    case 'directory':
      return source.path;
    case 'http':
      return source.body === undefined ? source.url : `${source.url}\n${source.body.reveal()}`;
    case 'webdav':
      return ['user' in source.auth ? source.auth.user : '', source.url].join('\n');
    case 'push':
      return source.feed;
    case 'mail':
      return [source.auth.user, source.host, source.port ?? '', source.folder].join('\n');
    case 's3':
      // Keys change, the place does not.
      return [source.endpoint ?? source.region, source.bucket, source.prefix ?? ''].join('\n');
    case 'graph': {
      const { endpoint, site, library, drive, user, path } = source;
      return [endpoint, site, library, drive, user, path].map((part) => part ?? '').join('\n');
    }
    case 'drive':
      return [source.endpoint ?? '', folderIdOf(source)].join('\n');
    case 'ftp':
    case 'sftp':
      return ['user' in source.auth ? source.auth.user : '', source.host, source.port ?? '', source.path].join('\n');
  }
}

/** The server that a source asks; null for a folder of this machine and for what was pushed to us. Two sources of one server share its limits. */
export function serverOf(source: SourceConfig): string | null {
  switch (source.type) {
    case 'directory':
    case 'push':
      return null;
    case 'http':
    case 'webdav':
      return new URL(source.url).host;
    case 's3':
      return source.endpoint ?? source.region;
    case 'graph':
      return source.endpoint ?? GRAPH;
    case 'drive':
      return source.endpoint ?? GOOGLE;
    case 'mail':
    case 'ftp':
    case 'sftp':
      return `${source.type} ${source.host}:${source.port ?? ''}`;
  }
}

/** Whether no two files in the place of a source have the same name: mails and drives may have several. */
export function hasUniqueNames({ type }: Pick<SourceConfig, 'type'>): boolean {
  return type !== 'mail' && type !== 'drive';
}
