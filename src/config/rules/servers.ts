import { canDecode } from '../../io/text-decode.ts';
import { accountKeyOf } from '../schema/sources/account-key.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config, FeedConfig } from '../schema/schema.ts';
import type { SourceConfig } from '../schema/source-schema.ts';
import type { WebAuth } from '../schema/sources/auth.ts';
import { webAddresses } from './web.ts';

/** User and password inside an address would be shown wherever the address is. */
export function addressesCarryNoCredentials({ service, feeds }: Config): Finding[] {
  const ofFeeds = Object.entries(feeds).flatMap(([name, { source }]): [Path, string][] => {
    if (source.type !== 'http' && source.type !== 'webdav') return [];
    return webAddresses(source).map(({ path, address }) => [['feeds', name, 'source', ...path], address]);
  });
  const addresses: [Path, string | undefined][] = [
    [['service', 'baseUrl'], service.baseUrl],
    [['service', 'catalogUrl'], service.catalogUrl],
    ...ofFeeds,
  ];
  return addresses.flatMap(([path, address]) => {
    const url = address === undefined ? null : URL.parse(address);
    if (url === null || (url.username === '' && url.password === '')) return [];
    return [{ path, message: 'the address contains a user and password; move them to auth, with type: basic' }];
  });
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;

/** Set by the program itself for each request. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Header names must be ones that can be sent, once, and a user name of basic authentication has no colon. */
export function credentialsFitTheirHeaders({ logins, feeds }: Config): Finding[] {
  const ofLogins = Object.entries(logins).flatMap(([name, { auth }]) => authFindings(['logins', name, 'auth'], auth));
  const ofFeeds = Object.entries(feeds).flatMap(([name, { source }]) => {
    if (source.type !== 'http' && source.type !== 'webdav') return [];
    const path = ['feeds', name, 'source'];
    const headers = Object.keys(source.headers).flatMap((header) =>
      headerFindings([...path, 'headers', header], header, 'key'),
    );
    return headers.concat(authFindings([...path, 'auth'], source.auth), twice(path, source));
  });
  return [...ofLogins, ...ofFeeds];
}

function authFindings(path: Path, auth: WebAuth): Finding[] {
  if (auth.type === 'header') return headerFindings([...path, 'name'], auth.name);
  if (auth.type !== 'basic' || !auth.user.includes(':')) return [];
  return [
    {
      path: [...path, 'user'],
      message: 'a user name with ":" cannot be sent; everything after it would be the password',
    },
  ];
}

function headerFindings(path: Path, name: string, at?: 'key'): Finding[] {
  const place = at === undefined ? { path } : { path, at };
  if (!HEADER_NAME.test(name))
    return [{ ...place, message: `"${name}" is not a header name; write one such as X-Api-Key` }];
  if (OWN_HEADERS.has(name.toLowerCase()))
    return [{ ...place, message: `the header ${name} is set by the program; remove it` }];
  return [];
}

function twice(path: Path, source: { headers: object; auth: WebAuth }): Finding[] {
  const sent =
    source.auth.type === 'none' ? undefined : source.auth.type === 'header' ? source.auth.name : 'Authorization';
  const header = Object.keys(source.headers).find((name) => name.toLowerCase() === sent?.toLowerCase());
  if (header === undefined) return [];
  return [
    { path: [...path, 'headers', header], at: 'key', message: `auth sends the header ${header} too; keep one of them` },
  ];
}

/** How a delivery of several files is complete says nothing where the newest file is the delivery. */
export function deliveriesOfSeveral({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]) =>
    misfitsOfSeveral(source).map(([key, message]) => ({ path: ['feeds', name, 'source', key], message })),
  );
}

function misfitsOfSeveral({ take, files, manifest, count, completeWithin, incomplete, ...source }: SourceConfig) {
  const stays = Object.values(files ?? {}).some((file) => file.stays === true);
  const isKept = !('after' in source) || source.after === 'keep';
  const isOne = files === undefined && take !== 'all';
  const found: [key: string, isWrong: boolean, message: string][] = [
    ['manifest', isOne && manifest !== undefined, FOR_SEVERAL],
    ['count', isOne && count !== undefined, FOR_SEVERAL],
    ['completeWithin', isOne && completeWithin !== undefined, FOR_SEVERAL],
    ['incomplete', isOne && incomplete !== undefined, FOR_SEVERAL],
    ['files', stays && !isKept, 'stays needs files that stay at their place; remove after'],
    ['take', files !== undefined && take === 'newest', 'files are all taken; remove take, or write take: all'],
    ['count', files !== undefined && count !== undefined, 'files says how many there are; remove count'],
    [
      'manifest',
      !isOne && manifest !== undefined && (files ?? count) !== undefined,
      'a manifest says which files there are; remove files and count',
    ],
    [
      'files',
      files !== undefined && Object.keys(files).length < 2,
      'names the files of a delivery of several; write two or more',
    ],
  ];
  return found.filter(([, isWrong]) => isWrong).map(([key, , message]) => [key, message] as const);
}

const FOR_SEVERAL = 'is for deliveries of several files; write take: all, or files';

/** Letters between braces that stand for a date. */
const DATE = /^(?:yyyy|MM|dd|HH|mm|ss)(?:[-_. T]?(?:yyyy|MM|dd|HH|mm|ss))*$/u;

/** A date in a pattern is written with letters that mean something, once. */
export function patternsHaveKnownDates({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, feed]) => {
    return patternsOf(name, feed).flatMap(([path, pattern]) => datesIn(pattern, path));
  });
}

/** The patterns of a feed, each with the path of its setting. */
export function patternsOf(name: string, { source, delivery }: FeedConfig): [Path, string][] {
  const { pattern, manifest, files = {} } = source;
  const ofSource: [Path, string | undefined][] = [
    [['source', 'pattern'], pattern],
    [['source', 'manifest'], manifest],
    ...Object.entries(files).map(([key, file]): [Path, string] => [['source', 'files', key, 'pattern'], file.pattern]),
  ];
  const ofKinds = typeof delivery === 'string' ? [] : Object.entries(delivery);
  const all = ofKinds.map(([kind, named]): [Path, string] => [['delivery', kind, 'pattern'], named.pattern]);
  return [...ofSource, ...all].flatMap(([path, text]): [Path, string][] =>
    text === undefined ? [] : [[['feeds', name, ...path], text]],
  );
}

function datesIn(pattern: string, path: Path): Finding[] {
  const written = [...pattern.matchAll(/\{([A-Za-z][A-Za-z\-_. ]*)\}/gu)];
  return written
    .filter(([braces]) => braces !== '{sequence}')
    .flatMap(([braces, letters = ''], at) => {
      if (!DATE.test(letters)) {
        const message = `${braces} means no date: it is written with yyyy, MM, dd, HH, mm and ss, as in {yyyy-MM-dd}; alternatives have a comma between them`;
        return [{ path, message }];
      }
      return at === 0 ? [] : [{ path, message: `a pattern has one date, and ${braces} is another one` }];
    });
}

/** A pattern chooses among the names in one folder. */
export function patternsAreNames({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, feed]) => {
    const message = 'a pattern is for names inside the folder, without "/"; put the folder into path';
    return patternsOf(name, feed)
      .filter(([, pattern]) => pattern.includes('/'))
      .map(([path]) => ({ path, message }));
  });
}

/** Names come in a charset that is known. */
export function charsetsOfServers({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]): Finding[] => {
    if (source.type !== 'ftp' || canDecode(source.charset)) return [];
    const message = `unknown charset "${source.charset}"; write one such as utf-8 or windows-1251`;
    return [{ path: ['feeds', name, 'source', 'charset'], message }];
  });
}

/** A folder of Microsoft Graph lies in one drive. */
export function graphNamesOneDrive({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]): Finding[] => {
    if (source.type !== 'graph') return [];
    const path = ['feeds', name, 'source'];
    const named = (['site', 'drive', 'user'] as const).filter((key) => source[key] !== undefined);
    if (named.length === 0) {
      const message =
        'needs a place: site (the address of a SharePoint site), user (whose OneDrive it is) or drive (the ID of a drive)';
      return [{ path, message }];
    }
    const [, second] = named;
    if (second !== undefined) {
      return [{ path: [...path, second], message: `names another drive than ${named[0]!}; keep one of them` }];
    }
    if (source.library === undefined || source.site !== undefined) return [];
    return [{ path: [...path, 'library'], message: 'is a library of a site; write site, or remove it' }];
  });
}

/** A service account has a key that can sign. */
export function accountKeysAreKeys({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]): Finding[] => {
    if (!('auth' in source) || source.auth.type !== 'serviceAccount') return [];
    const written = source.auth.key.reveal();
    // One that cannot be read is told already.
    if (written === '' || accountKeyOf(written) !== undefined) return [];
    const message =
      'is no key of a service account: write key: { file: PATH } with the JSON file that the Google Cloud console makes (Service accounts, Keys, JSON)';
    return [{ path: ['feeds', name, 'source', 'auth', 'key'], message }];
  });
}

/** A mail is proved by the server that is named, and a token comes from one place. */
export function mailCanBeTrusted({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]): Finding[] => {
    if (source.type !== 'mail') return [];
    const path = ['feeds', name, 'source'];
    const { auth } = source;
    const findings: Finding[] = [];
    if (source.require === 'dkim' && source.authserv === undefined) {
      const message = `needs authserv, the name of your own mail server as its Authentication-Results begin; or write require: none`;
      findings.push({ path, message });
    }
    if (auth.type === 'token' && (auth.tokenFile === undefined) === (auth.tokenCommand === undefined)) {
      findings.push({ path: [...path, 'auth'], message: 'needs either tokenFile or tokenCommand' });
    }
    return findings;
  });
}
