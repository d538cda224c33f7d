import { z } from 'zod';
import type { Secret } from '../../secrets/secret.ts';
import { names } from '../names.ts';
import { hostName, httpUrl } from '../service-schema.ts';
import { duration } from '../units.ts';
import { secretInput, type WebAuth, webAuth } from './auth.ts';
import { choosing } from './folders.ts';

/** A web server, and how it is asked. */
const web = {
  url: httpUrl,
  headers: names(z.string(), secretInput).prefault({}),
  auth: webAuth.default({ type: 'none' }),
  timeout: duration.prefault('30s'),
  maxRedirects: z.int().min(0).max(20).default(5),
  allowHosts: z.array(hostName).default([]),
};

/** A file at an address, or with `pattern` the files that a page links to, as written. */
export const httpSource = z.strictObject({
  type: z.literal('http'),
  ...web,
  method: z.enum(['GET', 'POST']).optional(),
  body: secretInput.optional(),
  login: z.strictObject({ url: httpUrl, fields: names(z.string().min(1), secretInput) }).optional(),
  pattern: choosing.pattern.unwrap().optional(),
  ready: choosing.ready,
  settle: duration.optional(),
  after: choosing.after.unwrap().optional(),
  deadline: choosing.deadline,
  maxFiles: choosing.maxFiles,
});

/** A folder on a WebDAV server, as written. */
export const webdavSource = z.strictObject({ type: z.literal('webdav'), ...web, ...choosing });

type Resolved<T> = Omit<T, 'auth' | 'headers' | 'body' | 'login'> & { auth: WebAuth; headers: Record<string, Secret> };

/** A form in which people sign in, and what they write there. */
export type Login = { url: string; fields: Record<string, Secret> };
export type HttpSource = Resolved<z.output<typeof httpSource>> & {
  body?: Secret | undefined;
  login?: Login | undefined;
};
export type WebdavSource = Resolved<z.output<typeof webdavSource>>;
/** A page whose links are chosen among. */
export type IndexSource = HttpSource & Pick<WebdavSource, 'pattern' | 'settle' | 'after' | 'moveTo'>;

/** What holds for a page of links where nothing is written; HTTP can neither move nor delete. */
export const INDEX_DEFAULTS = { settle: 5000, after: 'keep', moveTo: 'taken' } as const;

/** True for a page of links, false for one file at an address. */
export function isIndex(source: { type: string }): source is IndexSource {
  return source.type === 'http' && 'pattern' in source && source.pattern !== undefined;
}
