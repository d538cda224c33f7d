import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { dictionary } from '../../io/dictionary.ts';
import { messageOf, systemCode } from '../../errors.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config, ParsedConfig } from '../schema/schema.ts';
import type {
  AuthConfig,
  HttpSource,
  ParsedAuth,
  ParsedSource,
  SecretInput,
  SourceConfig,
} from '../schema/source-schema.ts';
import { secret, type Secret } from '../secrets/secret.ts';

type Context = { folder: string; findings: Finding[] };

/**
 * Wraps every credential, reading those that are kept in files, and makes every path absolute; both are relative to
 * `folder`. A credential that cannot be read is a finding and is empty in the result.
 */
export async function resolveConfig(
  parsed: ParsedConfig,
  folder: string,
): Promise<{ config: Config; findings: Finding[] }> {
  const context: Context = { folder, findings: [] };
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
  const optional = async (key: 'password' | 'key' | 'passphrase', input: SecretInput | undefined) =>
    input === undefined ? {} : { [key]: await resolveSecret(input, [...path, key], context) };
  switch (source.type) {
    case 'directory':
      return { ...source, path: resolve(context.folder, source.path) };
    case 'http': {
      const headers: HttpSource['headers'] = dictionary();
      for (const [name, value] of Object.entries(source.headers)) {
        headers[name] = await resolveSecret(value, [...path, 'headers', name], context);
      }
      return { ...source, headers, auth: await resolveAuth(source.auth, [...path, 'auth'], context) };
    }
    case 'ftp': {
      const { password, ...rest } = source;
      return { ...rest, ...(await optional('password', password)) };
    }
    case 'sftp': {
      const { password, key, passphrase, ...rest } = source;
      return {
        ...rest,
        ...(await optional('password', password)),
        ...(await optional('key', key)),
        ...(await optional('passphrase', passphrase)),
      };
    }
  }
}

async function resolveAuth(auth: ParsedAuth, path: Path, context: Context): Promise<AuthConfig> {
  switch (auth.type) {
    case 'none':
      return auth;
    case 'basic':
      return { ...auth, password: await resolveSecret(auth.password, [...path, 'password'], context) };
    case 'bearer':
      return { ...auth, token: await resolveSecret(auth.token, [...path, 'token'], context) };
    case 'header':
      return { ...auth, value: await resolveSecret(auth.value, [...path, 'value'], context) };
  }
}

async function resolveSecret(input: SecretInput, path: Path, { folder, findings }: Context): Promise<Secret> {
  if (typeof input === 'string') return checked(input, path, 'the credential', findings);
  const file = resolve(folder, input.file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return checked(text.replace(/[\r\n]+$/u, ''), [...path, 'file'], file, findings);
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    findings.push({ path: [...path, 'file'], message: `${file} ${why}; put the credential into this file` });
    return secret('');
  }
}

/** A credential must be fit to be sent: one line of text, except a private key, and in a header only its characters. */
function checked(text: string, path: Path, what: string, findings: Finding[]): Secret {
  const isKey = path[0] === 'feeds' && path[3] === 'key';
  const anyCharacter = isKey || path.includes('password') || path[3] === 'passphrase';
  const problem =
    text === ''
      ? 'is empty; put the credential there'
      : !isKey && /[^\P{Cc}\t]/u.test(text)
        ? 'contains a line break or control character; a credential is one line of text'
        : !anyCharacter && /[^\t -~\u0080-\u00FF]/u.test(text)
          ? 'has characters that a request header cannot carry; use plain letters, digits and signs'
          : undefined;
  if (problem !== undefined) findings.push({ path, message: `${what} ${problem}` });
  return secret(text);
}
