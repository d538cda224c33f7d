import { z } from '../zod.ts';
import { names } from '../names.ts';
import { hostName, httpUrl } from '../service-schema.ts';
import { duration } from '../units.ts';
import { credential, type WithSecrets } from '../credential.ts';
import { webAuth } from './auth.ts';
import { choosing } from './folders.ts';

/** A web server, and how it is asked. */
const web = {
  url: httpUrl,
  headers: names(z.string(), credential()).prefault({}),
  auth: webAuth.prefault({ type: 'none' }),
  timeout: duration.prefault('30s'),
  maxRedirects: z.int().min(0).max(20).default(5),
  allowHosts: z.array(hostName).default([]),
};

/** A file at an address, or with `pattern` the files that a page links to, as written. */
export const httpSource = z.strictObject({
  type: z.literal('http'),
  ...web,
  method: z.enum(['GET', 'POST']).optional(),
  body: credential('text').optional(),
  login: z.strictObject({ url: httpUrl, fields: names(z.string().min(1), credential('line')) }).optional(),
  pattern: choosing.pattern.unwrap().optional(),
  ready: choosing.ready,
  settle: duration.optional(),
  after: choosing.after.unwrap().optional(),
  deadline: choosing.deadline,
  result: choosing.result,
  maxFiles: choosing.maxFiles,
  on: choosing.on,
  take: choosing.take,
  files: choosing.files,
  manifest: choosing.manifest,
  count: choosing.count,
  completeWithin: choosing.completeWithin,
  incomplete: choosing.incomplete,
});

/** A folder on a WebDAV server, as written. */
export const webdavSource = z.strictObject({ type: z.literal('webdav'), ...web, ...choosing });

export type HttpSource = WithSecrets<z.output<typeof httpSource>>;
export type WebdavSource = WithSecrets<z.output<typeof webdavSource>>;
/** A form in which people sign in, and what they write there. */
export type Login = NonNullable<HttpSource['login']>;
/** A page whose links are chosen among. */
export type IndexSource = HttpSource & Pick<WebdavSource, 'pattern' | 'settle' | 'after' | 'moveTo'>;

/** What holds for a page of links where nothing is written; HTTP can neither move nor delete. */
export const INDEX_DEFAULTS = { settle: 5000, after: 'keep', moveTo: 'taken' } as const;

/** True for a page of links, false for one file at an address. */
export function isIndex(source: { type: string }): source is IndexSource {
  return source.type === 'http' && 'pattern' in source && source.pattern !== undefined;
}
