import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, OfferlineError } from '../../errors.ts';
import { leavesBucket, type ArchiveSettings, type S3ArchiveSettings } from '../schema/archive-schema.ts';
import { duration, size } from '../schema/units.ts';
import { hideAddress } from '../secrets/hide-address.ts';
import { secret } from '../secrets/secret.ts';
import { inEnvironment } from '../read/server-addresses.ts';
import type { Problem } from '../read/problem.ts';

/** What an address may say beside the place; each is a setting of `archive`. */
const QUERY = [
  'region',
  'style',
  'tls',
  'ca',
  'profile',
  'file',
  'role',
  'encryption',
  'kms',
  'timeout',
  'cache',
] as const;
type Part = (typeof QUERY)[number];

/** As long as a store may be silent, and as many bytes of copies as the settings have by default. */
const USUAL = { timeout: '60s', cache: '5GB' };

/**
 * The archive of the configuration, or that of `ARCHIVE_URL`: `s3://KEY:SECRET@HOST[:PORT]/BUCKET/PREFIX?region=…&style=path&tls=false`. Without
 * keys those of the environment sign.
 */
export function archiveSettings(
  written: ArchiveSettings,
  address: string | undefined,
): { archive: ArchiveSettings; problems: Problem[] } {
  if (address === undefined) return { archive: written, problems: [] };
  const { settings, problems } =
    written.type === 's3'
      ? { settings: written, problems: ['archive is set in the configuration, too; keep one'] }
      : bucketOf(address);
  return {
    archive: settings ?? written,
    problems: problems.map((message) => inEnvironment('ARCHIVE_URL', message)),
  };
}

/** Where an archive can be copied from and to. */
export type CopyPlace = { type: 'folder'; folder: string } | S3ArchiveSettings;

/** The place that an option of the command line names: an address as in `ARCHIVE_URL`, `file:///…`, or the path of a folder. Throws `usage`. */
export function archivePlaceOf(option: string, text: string): CopyPlace {
  const refuse = (what: string): never => {
    throw new OfferlineError('usage', `${option} ${what}.`);
  };
  if (text.trim() === '') return refuse('is empty; name a folder, file:///… or s3://HOST/BUCKET/PREFIX');
  hideAddress(text);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//iu.exec(text)?.[1]?.toLowerCase();
  // A slash too few must not make a folder of an address, whose keys would be a part of its name. A single letter is a drive.
  if (scheme === undefined && /^(?:s3|file):/iu.test(text))
    return refuse('lacks a slash; write s3://HOST/BUCKET/PREFIX or file:///PATH');
  if (scheme === undefined) return { type: 'folder', folder: resolve(text) };
  if (scheme === 'file') {
    try {
      return { type: 'folder', folder: fileURLToPath(text) };
    } catch (error) {
      return refuse(`is no address of a folder (${messageOf(error)}); write file:///PATH, or the path alone`);
    }
  }
  if (scheme !== 's3') return refuse(`has the scheme ${scheme}://, which is unknown; known are s3:// and file://`);
  const { settings, problems } = bucketOf(text);
  return settings ?? refuse(problems.join('; it '));
}

/** How the command line names a place, without keys: the environment of the next command has them. */
export function addressOf(place: CopyPlace): string {
  if (place.type === 'folder') return place.folder;
  const { region, bucket, prefix = '', style, auth, encryption, ca, timeout } = place;
  const { protocol, host, hostname } = new URL(place.endpoint ?? `https://s3.${region}.amazonaws.com`);
  const said: Partial<Record<Part, string | undefined>> = {
    region: region === regionIn(hostname) ? undefined : region,
    style: style === 'host' ? style : undefined,
    tls: protocol === 'http:' ? 'false' : undefined,
    ca,
    ...(auth.type === 'profile' ? { profile: auth.profile, file: auth.file } : {}),
    role: auth.type === 'instance' ? auth.type : undefined,
    encryption: encryption?.type,
    kms: encryption?.type === 'aws:kms' ? encryption.key : undefined,
    timeout: timeout === duration.parse(USUAL.timeout) ? undefined : `${timeout}ms`,
  };
  const parts = Object.entries(said).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`],
  );
  return `s3://${host}/${bucket}${prefix === '' ? '' : `/${prefix}`}${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/** The settings of an address of a bucket, or everything that is wrong with it. */
function bucketOf(
  address: string,
): { settings: S3ArchiveSettings; problems: string[] } | { settings: null; problems: string[] } {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.protocol !== 's3:') {
    return { settings: null, problems: ['is no address such as s3://KEY:SECRET@HOST/BUCKET/PREFIX?region=REGION'] };
  }
  const problems = [...placeProblems(url), ...queryProblems(url)];
  return problems.length > 0 ? { settings: null, problems } : { settings: settingsIn(url), problems };
}

function* placeProblems({ host, pathname, username, password }: URL): Generator<string> {
  const path = decoded(pathname);
  if (path === null || decoded(username) === null || decoded(password) === null) {
    return yield 'has a % that stands for no sign; write it as %25';
  }
  const [, bucket = '', ...folders] = path.split('/');
  if (host === '' || bucket === '') yield 'names no host and bucket: s3://HOST/BUCKET/PREFIX';
  else if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/u.test(bucket)) yield `has ${bucket}, which cannot name a bucket`;
  if (!/^[A-Za-z0-9._\-/]*$/u.test(folders.join('/'))) {
    yield 'has a prefix with other signs than letters, digits and . _ - /';
  }
  if (leavesBucket(folders.join('/'))) yield 'has a prefix with the part . or .., which would lead out of the bucket';
  if ((username === '') !== (password === '')) yield 'has only one of KEY and SECRET; write s3://KEY:SECRET@HOST';
}

function* queryProblems({ searchParams, username }: URL): Generator<string> {
  const names = [...searchParams.keys()];
  for (const name of names) {
    if (!QUERY.some((known) => known === name)) {
      yield `has the part ${name}=, which is unknown; known are ${QUERY.join(', ')}`;
    }
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) yield `has ${twice}= twice; keep one`;
  for (const [name, choices] of CHOICES) {
    const value = searchParams.get(name);
    if (value !== null && !choices.includes(value)) yield `has ${name}=${value}; write ${choices.join(' or ')}`;
  }
  const signers = [username !== '', searchParams.has('profile') || searchParams.has('file'), searchParams.has('role')];
  if (signers.filter(Boolean).length > 1) yield 'names several who sign; keep KEY and SECRET, a profile, or a role';
  if (searchParams.has('profile') !== searchParams.has('file')) {
    yield 'has only one of profile= and file=; write both: the profile, and the file of credentials that has it';
  }
  if (searchParams.has('kms') && searchParams.get('encryption') !== 'aws:kms')
    yield 'has kms= without encryption=aws:kms';
  for (const [name, unit] of [
    ['timeout', duration],
    ['cache', size],
  ] as const) {
    const written = searchParams.get(name) ?? USUAL[name];
    const { error, data } = unit.safeParse(written);
    if (error !== undefined) yield `has ${name}=${written}; ${error.issues[0]!.message}`;
    else if (name === 'timeout' && data === 0) yield `has ${name}=${written}, which must be longer than zero`;
  }
}

const CHOICES: [Part, string[]][] = [
  ['style', ['path', 'host']],
  ['tls', ['true', 'false']],
  ['role', ['instance']],
  ['encryption', ['AES256', 'aws:kms']],
];

/** The settings of an address in which nothing is wrong. */
function settingsIn(url: URL): S3ArchiveSettings {
  const [bucket = '', ...folders] = (decoded(url.pathname) ?? '').split('/').slice(1);
  const part = (name: Part) => url.searchParams.get(name);
  const [ca, encryption, kms] = [part('ca'), part('encryption'), part('kms')];
  return {
    type: 's3',
    endpoint: `${part('tls') === 'false' ? 'http' : 'https'}://${url.host}`,
    region: part('region') ?? regionIn(url.hostname),
    bucket,
    prefix: folders.join('/'),
    style: part('style') === 'host' ? 'host' : 'path',
    auth: authIn(url),
    timeout: duration.parse(part('timeout') ?? USUAL.timeout),
    cache: size.parse(part('cache') ?? USUAL.cache),
    ...(ca === null ? {} : { ca }),
    ...(encryption === 'AES256' ? { encryption: { type: encryption } } : {}),
    ...(encryption === 'aws:kms' ? { encryption: { type: encryption, ...(kms === null ? {} : { key: kms }) } } : {}),
  };
}

/** The region in a host of Amazon, such as `s3.eu-central-1.amazonaws.com`. */
function regionIn(host: string): string {
  return /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com/u.exec(host)?.[1] ?? 'us-east-1';
}

function authIn({ username, password, searchParams }: URL): S3ArchiveSettings['auth'] {
  const [profile, file] = [searchParams.get('profile'), searchParams.get('file')];
  if (profile !== null && file !== null) return { type: 'profile', profile, file: resolve(file) };
  if (searchParams.has('role')) return { type: 'instance' };
  if (username === '') return { type: 'environment' };
  return { type: 'basic', user: decodeURIComponent(username), password: secret(decodeURIComponent(password)) };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
