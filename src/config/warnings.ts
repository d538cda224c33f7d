import { stat } from 'node:fs/promises';
import { messageOf, systemCode } from '../errors.ts';
import { isLoopback } from './loopback.ts';
import { isWide, readNetwork } from './networks.ts';
import { publicOrigin } from './public-origin.ts';
import { type Path, valueAt } from './read/path.ts';
import type { Finding } from './read/problem.ts';
import { webAddresses } from './rules/web.ts';
import type { ResolvedConfig } from './schema/schema.ts';
import type { DirectorySource } from './schema/sources/folders.ts';
import { guessableCredentials } from './rules/guessable-credentials.ts';
import { serves } from './serves.ts';

/** What may be right but deserves a look: settings without effect, folders that are not there, files taken twice, credentials without TLS or that others can guess. */
export async function findWarnings(config: ResolvedConfig, written: unknown): Promise<Finding[]> {
  return [
    ...csvOnly(config, written),
    ...guardsOfNothing(config, written),
    ...(await missingFolders(config)),
    ...sharedFolders(config),
    ...openCredentials(config),
    ...plainFtp(config),
    ...unpinnedHosts(config),
    ...guessableCredentials(config),
    ...unnamedProxy(config),
    ...openProxy(config),
    ...unlinkedPages(config),
  ];
}

function csvOnly({ offer }: ResolvedConfig, written: unknown): Finding[] {
  const path = ['offer', 'delimiter'];
  if (offer.layout === 'csv' || valueAt(written, path) === undefined) return [];
  return [{ path, message: 'has no effect: a txt file is delimited by tabs; set offer.layout to csv, or remove it' }];
}

/** Guards of a feed that look at a column which the feed does not see. */
function guardsOfNothing({ feeds }: ResolvedConfig, written: unknown): Finding[] {
  const guards = { maxPriceJump: 'price', maxStockDrop: 'stock' } as const;
  return Object.entries(feeds).flatMap(([feed, { signals }]) =>
    Object.entries(guards).flatMap(([guard, column]) => {
      const path = ['feeds', feed, 'guard', guard];
      if (valueAt(written, path) === undefined || (signals !== undefined && signals[column] !== 'off')) return [];
      const message = `has no effect: nothing is known of the ${column}; set feeds.${feed}.signals, or remove it`;
      return [{ path, message }];
    }),
  );
}

function directories(config: ResolvedConfig): { feed: string; source: DirectorySource }[] {
  return Object.entries(config.feeds).flatMap(([feed, { source }]) =>
    source.type === 'directory' ? [{ feed, source }] : [],
  );
}

async function missingFolders(config: ResolvedConfig): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { feed, source } of directories(config)) {
    // The folders of other machines.
    if (!serves(config.worker.serves, source)) continue;
    const path = ['feeds', feed, 'source', 'path'];
    try {
      if (!(await stat(source.path)).isDirectory()) findings.push({ path, message: `${source.path} is not a folder` });
    } catch (error) {
      const why = systemCode(error) === 'ENOENT' ? 'does not exist yet' : `cannot be read (${messageOf(error)})`;
      findings.push({ path, message: `the folder ${source.path} ${why}` });
    }
  }
  return findings;
}

function sharedFolders(config: ResolvedConfig): Finding[] {
  const all = directories(config);
  return all.flatMap(({ feed, source }, index) => {
    const other = all
      .slice(0, index)
      .find((it) => it.source.path === source.path && patternsOf(it.source) === patternsOf(source));
    if (other === undefined) return [];
    const message = `the feed ${other.feed} takes the same files (same folder, same pattern); give each feed its own`;
    return [{ path: ['feeds', feed, 'source', 'path'], message }];
  });
}

/** The patterns of a source as one text, in whatever order and under whatever names they are written. */
function patternsOf({ pattern, files }: DirectorySource): string {
  const patterns = files === undefined ? [pattern] : Object.values(files).map((file) => file.pattern);
  return JSON.stringify(patterns.toSorted());
}

/** Credentials that are sent without TLS: anybody on the way can read them. */
function openCredentials({ service, logins, feeds }: ResolvedConfig): Finding[] {
  const loginsAuth = Object.values(logins).some(({ auth }) => auth.type !== 'none');
  const addresses: [Path, string | undefined, boolean][] = [
    [['service', 'baseUrl'], service.baseUrl, loginsAuth],
    [['service', 'catalogUrl'], service.catalogUrl, loginsAuth],
    ...Object.entries(feeds).flatMap(([feed, { source }]): [Path, string, boolean][] => {
      if (source.type !== 'http' && source.type !== 'webdav') return [];
      const sends = source.auth.type !== 'none' || Object.keys(source.headers).length > 0;
      return webAddresses(source).map(({ path, address }) => [
        ['feeds', feed, 'source', ...path],
        address,
        sends || path[0] === 'login',
      ]);
    }),
  ];
  return addresses.flatMap(([path, address, sends]) => {
    const url = address === undefined ? null : URL.parse(address);
    if (!sends || url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
    return [
      {
        path,
        message: `credentials are sent to ${url.host} without TLS, where others can read them; use https://`,
      },
    ];
  });
}

/** Behind a proxy that is not named all browsers have its address: guesses of one are counted as those of all. */
function unnamedProxy({ web }: ResolvedConfig): Finding[] {
  const { listen, publicUrl, trustProxy } = web;
  if (trustProxy || listen === null || publicUrl?.startsWith('https:') !== true || !isLoopback(listen.host)) return [];
  const message =
    'is served by a proxy of this machine, whose address all browsers have then: set web.trustProxy: true where it sets X-Forwarded-For, so that one who guesses passwords does not keep out the others';
  return [{ path: ['web', 'publicUrl'], message }];
}

/** A header that signs in whom it names, where others than the proxy can send it. */
function openProxy({ web: { proxy, listen } }: ResolvedConfig): Finding[] {
  if (proxy === undefined) return [];
  const isHere = listen === null || isLoopback(listen.host);
  const wide = isHere ? [] : proxy.from.filter((text) => isWide(readNetwork(text)!));
  const open = wide.map((text) => ({
    path: ['web', 'proxy', 'from'],
    message: `${text} has addresses of others: whoever sends ${proxy.header} from one of them signs in as anybody; name the addresses of the proxy only`,
  }));
  if (listen === null || !/^[0:.]+$/u.test(listen.host)) return open;
  const message = `${listen.host} is every address of this machine, and ${proxy.header} signs users in: listen on the address that the proxy comes to, or let nobody else reach the port`;
  return [...open, { path: ['web', 'listen'], message }];
}

/** Pages of suppliers to which no mail can bring a link. */
function unlinkedPages({ feeds, web }: ResolvedConfig): Finding[] {
  if (publicOrigin({ web }) !== null) return [];
  return Object.entries(feeds).flatMap(([feed, { supplier }]): Finding[] => {
    if (supplier?.page !== true) return [];
    const message = 'mails bring no link to it: write as web.publicUrl where people open the console';
    return [{ path: ['feeds', feed, 'supplier', 'page'], message }];
  });
}

/** A password that plain FTP sends as it is. */
function plainFtp({ feeds }: ResolvedConfig): Finding[] {
  return Object.entries(feeds).flatMap(([feed, { source }]): Finding[] => {
    if (source.type !== 'ftp' || source.security !== 'none' || source.auth.type === 'none') return [];
    if (isLoopback(source.host)) return [];
    const message = `the password is sent to ${source.host} without TLS, where others can read it; ask the supplier for security: explicit`;
    return [{ path: ['feeds', feed, 'source', 'security'], message }];
  });
}

/** An SFTP server whose key is not known yet: it is refused until the key is written. */
function unpinnedHosts({ feeds }: ResolvedConfig): Finding[] {
  return Object.entries(feeds).flatMap(([feed, { source }]): Finding[] => {
    if (source.type !== 'sftp' || source.hostKey !== undefined) return [];
    const message = `no hostKey: the server is refused until it is written; \`offerline pull ${feed} --list\` shows it`;
    return [{ path: ['feeds', feed, 'source'], message }];
  });
}
