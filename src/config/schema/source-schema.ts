import { z } from 'zod';
import type { Secret } from '../secrets/secret.ts';
import { names } from './names.ts';
import { hostName, httpUrl } from './service-schema.ts';
import { auth, type AuthConfig, secretInput } from './sources/auth.ts';
import { type DirectorySource, directorySource } from './sources/folders.ts';
import { type FtpSource, ftpSource, type SftpSource, sftpSource } from './sources/servers.ts';
import { duration } from './units.ts';

const httpSource = z.strictObject({
  type: z.literal('http'),
  url: httpUrl,
  headers: names(z.string(), secretInput).prefault({}),
  auth: auth.default({ type: 'none' }),
  timeout: duration.prefault('30s'),
  deadline: duration.prefault('1h'),
  maxRedirects: z.int().min(0).max(20).default(5),
  allowHosts: z.array(hostName).default([]),
});

/** Where a feed's file comes from, as written. */
export const source = z.discriminatedUnion('type', [directorySource, httpSource, sftpSource, ftpSource]);

export type ParsedSource = z.output<typeof source>;

export type HttpSource = Omit<z.output<typeof httpSource>, 'auth' | 'headers'> & {
  auth: AuthConfig;
  headers: Record<string, Secret>;
};
/** A place on a server that holds several files. */
export type ServerSource = SftpSource | FtpSource;
/** A place whose files are chosen among, and may be removed once they are taken. */
export type FolderSource = DirectorySource | ServerSource;
export type SourceConfig = FolderSource | HttpSource;
