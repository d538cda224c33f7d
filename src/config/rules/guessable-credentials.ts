import { isGuessable } from '../../wording/credentials/guessable.ts';
import type { Path } from '../read/path.ts';
import { inEnvironment } from '../read/server-addresses.ts';
import type { Finding, Problem } from '../read/problem.ts';
import { webAddresses } from './web.ts';
import type { ResolvedConfig } from '../schema/schema.ts';
import type { SourceConfig } from '../schema/source-schema.ts';
import { CREDENTIAL_NAME, credentialsIn } from '../secrets/hide-address.ts';
import type { Secret } from '../secrets/secret.ts';

const WHY =
  'is short or a plain word, so it cannot be hidden in every text without spoiling words and paths; ' +
  'choose a random one of 16 characters or more';

/** Credentials that cannot be hidden wherever they stand, and that others can guess. */
export function guessableCredentials({ logins, feeds }: ResolvedConfig): Finding[] {
  return [
    ...Object.entries(logins).flatMap(([name, { auth }]) => secretsIn(auth, ['logins', name, 'auth'])),
    ...Object.entries(feeds).flatMap(([name, { source }]) => inSource(source, ['feeds', name, 'source'])),
    ...Object.entries(feeds).flatMap(([name, { unpack = {} }]) => secretsIn(unpack, ['feeds', name, 'unpack'])),
    ...Object.entries(feeds).flatMap(([name, { unpack }]) =>
      secretsIn(unpack?.pgp ?? {}, ['feeds', name, 'unpack', 'pgp']),
    ),
  ];
}

function inSource(source: SourceConfig, path: Path): Finding[] {
  const ofAuth = 'auth' in source ? secretsIn(source.auth, [...path, 'auth']) : [];
  if (source.type !== 'http' && source.type !== 'webdav') return ofAuth;
  const fields = source.type === 'http' ? (source.login?.fields ?? {}) : {};
  const addresses = webAddresses(source).filter(({ address }) => holdsGuessable(address));
  return ofAuth.concat(
    namedSecrets(source.headers, [...path, 'headers']),
    namedSecrets(fields, [...path, 'login', 'fields']),
    addresses.map((one) => ({ path: path.concat(one.path), message: `a credential in this address ${WHY}` })),
  );
}

/** The same for the addresses of servers in the environment. */
export function guessableInEnvironment(addresses: Record<string, string | undefined>): Problem[] {
  return Object.entries(addresses)
    .filter(([, address]) => holdsGuessable(address))
    .map(([name]) => inEnvironment(name, `a credential in this address ${WHY}`));
}

function holdsGuessable(address: string | undefined): boolean {
  return credentialsIn(address).some((credential) => credential !== '' && isGuessable(credential));
}

function secretsIn(auth: object, path: Path): Finding[] {
  return Object.entries(auth)
    .filter((entry): entry is [string, Secret] => isSecret(entry[1]))
    .filter(([, { reveal }]) => reveal() !== '' && isGuessable(reveal()))
    .map(([key]) => ({ path: [...path, key], message: `this credential ${WHY}` }));
}

/** Of headers and of fields of a form, those whose names say that they hold a credential. */
function namedSecrets(secrets: Record<string, Secret>, path: Path): Finding[] {
  return secretsIn(secrets, path).filter(({ path: at }) => CREDENTIAL_NAME.test(String(at.at(-1))));
}

function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'reveal' in value && typeof value.reveal === 'function';
}
