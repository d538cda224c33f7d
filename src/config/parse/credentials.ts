import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { dictionary } from '../../io/dictionary.ts';
import { messageOf, systemCode } from '../../errors.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config, ParsedConfig } from '../schema/schema.ts';
import type { SecretInput, WithSecrets } from '../schema/sources/auth.ts';
import { INDEX_DEFAULTS } from '../schema/sources/web.ts';
import type { ParsedSource, SourceConfig } from '../schema/source-schema.ts';
import { secret, type Secret } from '../secrets/secret.ts';

type Context = { folder: string; env: NodeJS.ProcessEnv; findings: Finding[] };

/**
 * Wraps every credential, reading those that are kept in files, and makes every path absolute; both are relative to
 * `folder`. A credential that cannot be read is a finding and is empty in the result.
 */
export async function resolveConfig(
  parsed: ParsedConfig,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ config: Config; findings: Finding[] }> {
  const context: Context = { folder, env, findings: [] };
  const { logins, feeds, $schema: _forEditors, ...rest } = parsed;
  const config: Config = { ...rest, logins: dictionary(), feeds: dictionary() };
  for (const [name, login] of Object.entries(logins)) {
    config.logins[name] = { ...login, auth: await resolveAuth(login.auth, ['logins', name, 'auth'], context) };
  }
  for (const [name, feed] of Object.entries(feeds)) {
    config.feeds[name] = { ...feed, source: await resolveSource(feed.source, ['feeds', name, 'source'], context) };
  }
  return { config, findings: context.findings };
}

async function resolveSource(source: ParsedSource, path: Path, context: Context): Promise<SourceConfig> {
  switch (source.type) {
    case 'directory':
      return { ...source, path: resolve(context.folder, source.path) };
    case 'http': {
      const { body, login, ...rest } = source;
      const fields = async (of: NonNullable<typeof login>) => ({
        url: of.url,
        fields: await resolveAll(of.fields, [...path, 'login', 'fields'], context),
      });
      return {
        ...(source.pattern === undefined ? {} : INDEX_DEFAULTS),
        ...rest,
        ...(body === undefined ? {} : { body: await resolveSecret(body, [...path, 'body'], context) }),
        ...(login === undefined ? {} : { login: await fields(login) }),
        headers: await resolveAll(source.headers, [...path, 'headers'], context),
        auth: await resolveAuth(source.auth, [...path, 'auth'], context),
      };
    }
    case 'webdav':
      return {
        ...source,
        headers: await resolveAll(source.headers, [...path, 'headers'], context),
        auth: await resolveAuth(source.auth, [...path, 'auth'], context),
      };
    case 'mail': {
      const auth = await resolveAuth(source.auth, [...path, 'auth'], context);
      if (auth.type !== 'token' || auth.tokenFile === undefined) return { ...source, auth };
      return { ...source, auth: { ...auth, tokenFile: resolve(context.folder, auth.tokenFile) } };
    }
    case 's3': {
      const { auth } = source;
      if (auth.type === 'environment') return { ...source, auth: keysOf(context.env) ?? auth };
      if (auth.type === 'basic') return { ...source, auth: await resolveAuth(auth, [...path, 'auth'], context) };
      return { ...source, auth: { ...auth, file: resolve(context.folder, auth.file) } };
    }
    case 'ftp':
      return { ...source, auth: await resolveAuth(source.auth, [...path, 'auth'], context) };
    case 'sftp':
      return { ...source, auth: await resolveAuth(source.auth, [...path, 'auth'], context) };
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

async function resolveAll(inputs: Record<string, SecretInput>, path: Path, context: Context) {
  const resolved: Record<string, Secret> = dictionary();
  for (const [name, input] of Object.entries(inputs)) {
    resolved[name] = await resolveSecret(input, [...path, name], context);
  }
  return resolved;
}

/** The settings of an `auth` that hold credentials. */
const CREDENTIALS = ['password', 'token', 'value', 'key', 'passphrase', 'clientSecret', 'sessionToken'] as const;

async function resolveAuth<T extends { type: string }>(auth: T, path: Path, context: Context): Promise<WithSecrets<T>> {
  const resolved: Record<string, unknown> = { ...auth };
  for (const key of CREDENTIALS) {
    const input = resolved[key] as SecretInput | undefined;
    if (input !== undefined) resolved[key] = await resolveSecret(input, [...path, key], context);
  }
  return resolved as WithSecrets<T>;
}

async function resolveSecret(input: SecretInput, path: Path, { folder, findings }: Context): Promise<Secret> {
  if (typeof input === 'string') return checked(input, path, 'the credential', findings);
  const file = resolve(folder, input.file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return checked(text.replace(/[\r\n]+$/u, ''), [...path, 'file'], file, findings);
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    findings.push({
      path: [...path, 'file'],
      message: `${file} ${why}; put the credential into this file`,
      missing: true,
    });
    return secret('');
  }
}

/** A credential must be fit to be sent: one line of text, except a private key and a body, and in a header only its characters. */
function checked(text: string, path: Path, what: string, findings: Finding[]): Secret {
  const ofFeed = path[0] === 'feeds';
  const anyLines = ofFeed && (path[4] === 'key' || path[3] === 'body');
  const anyCharacter =
    anyLines ||
    path.includes('password') ||
    (ofFeed && ['passphrase', 'clientSecret', 'fields'].includes(String(path[4])));
  const problem =
    text === ''
      ? 'is empty; put the credential there'
      : !anyLines && /[^\P{Cc}\t]/u.test(text)
        ? 'contains a line break or control character; a credential is one line of text'
        : !anyCharacter && /[^\t -~\u0080-\u00FF]/u.test(text)
          ? 'has characters that a request header cannot carry; use plain letters, digits and signs'
          : undefined;
  const missing = text === '' ? { missing: true as const } : {};
  if (problem !== undefined) findings.push({ path, message: `${what} ${problem}`, ...missing });
  return secret(text);
}
