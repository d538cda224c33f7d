import { z } from './zod.ts';
import { type DirectorySource, directorySource } from './sources/folders.ts';
import { type DriveSource, driveSource } from './sources/drive.ts';
import { type GraphSource, graphSource } from './sources/graph.ts';
import { type MailSource, mailSource } from './sources/mail.ts';
import { type PushSource, pushSource } from './sources/push.ts';
import { type S3Source, s3Source } from './sources/s3.ts';
import { type FtpSource, ftpSource, type SftpSource, sftpSource } from './sources/servers.ts';
import { type HttpSource, httpSource, type IndexSource, type WebdavSource, webdavSource } from './sources/web.ts';

export type { HttpSource } from './sources/web.ts';

/** Where a feed's file comes from, as written. */
export const source = z.discriminatedUnion('type', [
  directorySource,
  httpSource,
  sftpSource,
  ftpSource,
  webdavSource,
  s3Source,
  graphSource,
  driveSource,
  mailSource,
  pushSource,
]);

/** A place on a server that holds several files. */
export type ServerSource =
  SftpSource | FtpSource | WebdavSource | S3Source | GraphSource | DriveSource | MailSource | IndexSource;
/** A place that lists its files: a server's, or ours, to which they are pushed. */
export type ListingSource = ServerSource | PushSource;
/** A place whose files are chosen among, and may be removed once they are taken. */
export type FolderSource = DirectorySource | ListingSource;
export type SourceConfig =
  | DirectorySource
  | SftpSource
  | FtpSource
  | WebdavSource
  | S3Source
  | GraphSource
  | DriveSource
  | MailSource
  | PushSource
  | HttpSource;
