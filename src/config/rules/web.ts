import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';
import type { HttpSource } from '../schema/source-schema.ts';
import { isIndex, type WebdavSource } from '../schema/sources/web.ts';

/** The addresses that a source names, each with its setting. */
export function webAddresses(source: HttpSource | WebdavSource): { path: Path; address: string }[] {
  const { url, auth } = source;
  const login = source.type === 'http' ? source.login : undefined;
  return [
    { path: ['url'], address: url },
    ...(login === undefined ? [] : [{ path: ['login', 'url'], address: login.url }]),
    ...(auth.type === 'oauth2' ? [{ path: ['auth', 'tokenUrl'], address: auth.tokenUrl }] : []),
  ];
}

/** HTTP can neither move nor delete, and what chooses among links needs a page of them. */
export function settingsFitHttp({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]) => {
    if (source.type !== 'http') return [];
    return misfits(source).map(([key, message]) => ({ path: ['feeds', name, 'source', key], message }));
  });
}

function misfits(source: HttpSource): [string, string][] {
  const { body, method = 'GET', login } = source;
  const found: [string, string | undefined][] = [
    ['after', source.after === undefined || source.after === 'keep' ? undefined : NO_AFTER],
    [
      'body',
      body !== undefined && method !== 'POST' ? 'is sent with method: POST only; write that, or remove it' : undefined,
    ],
    [
      'method',
      isIndex(source) && method === 'POST'
        ? 'a page of links is asked for with GET; remove method, or pattern'
        : undefined,
    ],
    ['login', login !== undefined && Object.keys(login.fields).length === 0 ? NO_FIELDS : undefined],
    ...(
      ['settle', 'ready', 'maxFiles', 'take', 'files', 'manifest', 'count', 'completeWithin', 'incomplete'] as const
    ).map((key): [string, string | undefined] => [
      key,
      isIndex(source) || source[key] === undefined ? undefined : NO_LINKS,
    ]),
  ];
  return found.flatMap(([key, message]): [string, string][] => (message === undefined ? [] : [[key, message]]));
}

const NO_AFTER = 'HTTP can neither move nor delete files; remove it, or ask the supplier for WebDAV or SFTP';
const NO_FIELDS = 'has no fields; write the names of the inputs of the form, such as fields: { user: …, password: … }';
const NO_LINKS = 'chooses among the links of a page, and there is no pattern; write one, or remove it';
