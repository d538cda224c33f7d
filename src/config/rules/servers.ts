import { canDecode } from '../../io/text-decode.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';
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

/** Letters between braces that stand for a date. */
const DATE = /^(?:yyyy|MM|dd|HH|mm|ss)(?:[-_. T]?(?:yyyy|MM|dd|HH|mm|ss))*$/u;

/** A date in a pattern is written with letters that mean something, once. */
export function patternsHaveKnownDates({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]) => {
    const written = source.pattern?.matchAll(/\{([A-Za-z][A-Za-z\-_. ]*)\}/gu) ?? [];
    return [...written].flatMap(([braces, letters = ''], at) => {
      const path = ['feeds', name, 'source', 'pattern'];
      if (!DATE.test(letters)) {
        const message = `${braces} means no date: it is written with yyyy, MM, dd, HH, mm and ss, as in {yyyy-MM-dd}; alternatives have a comma between them`;
        return [{ path, message }];
      }
      return at === 0 ? [] : [{ path, message: `a pattern has one date, and ${braces} is another one` }];
    });
  });
}

/** A pattern chooses among the names in one folder. */
export function patternsAreNames({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source }]) => {
    if (source.pattern?.includes('/') !== true) return [];
    const message = 'a pattern is for names inside the folder, without "/"; put the folder into path';
    return [{ path: ['feeds', name, 'source', 'pattern'], message }];
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
