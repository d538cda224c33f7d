import { access, constants, readFile } from 'node:fs/promises';
import { messageOf, systemCode } from '../../errors.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import { type Fit, WrittenCredential } from '../schema/credential.ts';
import type { Config, FeedConfig, ParsedConfig } from '../schema/schema.ts';
import { INDEX_DEFAULTS } from '../schema/sources/web.ts';
import type { SourceConfig } from '../schema/source-schema.ts';
import { secret, type Secret } from '../secrets/secret.ts';
import { absolute, filesInRules, type RelativePath } from './relative-paths.ts';

type Context = { folder: string; env: NodeJS.ProcessEnv; findings: Finding[]; relative: RelativePath[] };

/**
 * Wraps every credential, reading those that are kept in files, and makes every path absolute; both are relative to
 * `folder`. A credential that cannot be read is a finding and is empty in the result. `parsed` becomes the result. `relative`: the paths that are written
 * so, those of files that rules name included.
 */
export async function resolveConfig(
  parsed: ParsedConfig,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ config: Config; findings: Finding[]; relative: RelativePath[] }> {
  const context: Context = { folder, env, findings: [], relative: [] };
  for (const { holder, key, path, written } of credentialsIn(parsed, [])) {
    holder[key] = await resolveSecret(written, path, context);
  }
  const { $schema: _forEditors, ...rest } = parsed;
  const config = rest as unknown as Config;
  for (const [name, feed] of Object.entries(config.feeds)) {
    feed.source = resolveSource(feed.source, ['feeds', name, 'source'], context);
    resolveBrands(feed, ['feeds', name], context);
    await resolveSigner(feed, ['feeds', name], context);
    resolveHolidays(feed, name, context);
  }
  resolveBrands(config, [], context);
  config.archive = resolveArchive(config.archive, context);
  if (config.backup !== undefined) config.backup = { ...config.backup, to: resolvePlace(config.backup.to, context) };
  for (const kind of ['logins', 'feeds'] as const) {
    for (const [name, { rules }] of Object.entries(config[kind])) {
      for (const { written, path } of filesInRules(rules, [kind, name, 'rules'])) absolute(written, path, context);
    }
  }
  return { config, findings: context.findings, relative: context.relative };
}

function resolveBrands({ brands }: Pick<Config, 'brands'>, path: Path, context: Context): void {
  if (brands?.file !== undefined) brands.file = absolute(brands.file, [...path, 'brands', 'file'], context);
}

/** The file of the supplier's public key. Without it every delivery would be refused. */
async function resolveSigner({ unpack }: Pick<FeedConfig, 'unpack'>, above: Path, context: Context): Promise<void> {
  const pgp = unpack?.pgp;
  if (pgp?.signedBy === undefined) return;
  const path = [...above, 'unpack', 'pgp', 'signedBy'];
  const file = absolute(pgp.signedBy, path, context);
  pgp.signedBy = file;
  const why = await access(file, constants.R_OK).then(() => null, systemCode);
  if (why === null) return;
  const said = why === 'ENOENT' ? 'does not exist' : `cannot be read (${why})`;
  context.findings.push({
    path,
    message: `${file} ${said}; put the supplier's public key into this file`,
    missing: true,
  });
}

function resolveHolidays({ expect }: FeedConfig, feed: string, context: Context): void {
  const { holidays } = expect ?? {};
  if (holidays === undefined || Array.isArray(holidays)) return;
  holidays.file = absolute(holidays.file, ['feeds', feed, 'expect', 'holidays', 'file'], context);
}

type Found = { holder: Record<string | number, unknown>; key: string | number; path: Path; written: WrittenCredential };

/** Every credential below a value, and what holds it. */
function* credentialsIn(value: unknown, path: Path): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Found['holder'];
  for (const [name, one] of Object.entries(holder)) {
    const key = Array.isArray(value) ? Number(name) : name;
    const at = [...path, key];
    if (one instanceof WrittenCredential) yield { holder, key, path: at, written: one };
    else yield* credentialsIn(one, at);
  }
}

function resolveArchive(archive: Config['archive'], context: Context): Config['archive'] {
  if (archive.type !== 's3') return archive;
  const { auth, ca } = archive;
  return {
    ...archive,
    ...(ca === undefined ? {} : { ca: absolute(ca, ['archive', 'ca'], context) }),
    auth: auth.type === 'profile' ? { ...auth, file: absolute(auth.file, ['archive', 'auth', 'file'], context) } : auth,
  };
}

/** A place for backups: an address as it is, a folder with its whole path. */
function resolvePlace(to: string, context: Context): string {
  return /^[a-z][a-z0-9+.-]*:\/\//iu.test(to) ? to : absolute(to, ['backup', 'to'], context);
}

function resolveSource(source: SourceConfig, path: Path, context: Context): SourceConfig {
  switch (source.type) {
    case 'directory':
      return { ...source, path: absolute(source.path, [...path, 'path'], context) };
    case 'http':
      return source.pattern === undefined ? source : { ...INDEX_DEFAULTS, ...source };
    case 'mail': {
      const { auth } = source;
      if (auth.type !== 'token' || auth.tokenFile === undefined) return source;
      const tokenFile = absolute(auth.tokenFile, [...path, 'auth', 'tokenFile'], context);
      return { ...source, auth: { ...auth, tokenFile } };
    }
    case 's3': {
      const { auth } = source;
      if (auth.type === 'environment') return { ...source, auth: keysOf(context.env) ?? auth };
      if (auth.type !== 'profile') return source;
      return { ...source, auth: { ...auth, file: absolute(auth.file, [...path, 'auth', 'file'], context) } };
    }
    case 'push':
      return { ...source, feed: String(path[1]) };
    case 'sftp':
    case 'ftp':
    case 'webdav':
    case 'graph':
    case 'drive':
      return source;
  }
}

/** The keys for S3 in the environment, by the names that all programs use; undefined when they are not there. */
function keysOf(env: NodeJS.ProcessEnv) {
  const [user, password] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!user || !password) return undefined;
  const token = env['AWS_SESSION_TOKEN'];
  const session = token ? { sessionToken: secret(token) } : {};
  return { type: 'basic' as const, user, password: secret(password), ...session };
}

async function resolveSecret({ input, fit }: WrittenCredential, path: Path, context: Context): Promise<Secret> {
  const { findings } = context;
  const place = { path, fit, findings };
  if (typeof input === 'string') return checked(input, 'the credential', place);
  const ofFile = [...path, 'file'];
  const file = absolute(input.file, ofFile, context);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return checked(text.replace(/[\r\n]+$/u, ''), file, { ...place, path: ofFile });
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    findings.push({ path: ofFile, message: `${file} ${why}; put the credential into this file`, missing: true });
    return secret('');
  }
}

/** A credential must be fit to be sent. */
function checked(text: string, what: string, { path, fit, findings }: { path: Path; fit: Fit; findings: Finding[] }) {
  const problem =
    text === ''
      ? 'is empty; put the credential there'
      : fit !== 'text' && /[^\P{Cc}\t]/u.test(text)
        ? 'contains a line break or control character; a credential is one line of text'
        : fit === 'header' && /[^\t -~\u0080-\u00FF]/u.test(text)
          ? 'has characters that a request header cannot carry; use plain letters, digits and signs'
          : undefined;
  const missing = text === '' ? { missing: true as const } : {};
  if (problem !== undefined) findings.push({ path, message: `${what} ${problem}`, ...missing });
  return secret(text);
}
