import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './http/reply.ts';
import type { SandboxSettings, WrittenCredential } from './settings.ts';

/** Whose dataset a request acts on. */
export type Login = {
  /** A keyed hash of the credential; the credential itself is never kept. */
  id: string;
  scheme: string;
  /** For people: the user of basic credentials, else the scheme. */
  name: string;
  rights: readonly string[];
};

type Credential = { scheme: string; text: string };

/** Knows logins by their credentials. */
export type Gate = {
  /** The login of a request; refuses with 401 who may not enter. */
  enter: (headers: IncomingHttpHeaders) => Login;
  /** The id of the login of a credential, whether it may enter or not. */
  idOf: (credential: WrittenCredential) => string;
};

/** Custom headers that look like a credential, so that a client with one needs no setting here. */
const CREDENTIAL_HEADER =
  /^(?!sec-|proxy-)(?!.*[cx]srf)(?:.*-)?(?:api-?key|access-?key|auth|token|login|secret|credentials?)$/;

/**
 * Finds the login of a request by its credential. Each credential, also a missing one, is a login of its own; with
 * `settings.logins` only those enter, and others are refused with 401.
 */
export function createGate(settings: SandboxSettings, key: Buffer): Gate {
  const named = settings.credentialHeaders.map((name) => name.toLowerCase());
  for (const { auth } of settings.logins ?? []) if (auth.type === 'header') named.push(auth.name.toLowerCase());
  const idOf = (credential: Credential) =>
    createHmac('sha256', key).update(`${credential.scheme}\n${credential.text}`).digest('hex').slice(0, 32);
  const allowed =
    settings.logins && new Map(settings.logins.map(({ auth, rights }) => [idOf(credentialOf(auth)), rights]));
  const enter = (headers: IncomingHttpHeaders): Login => {
    const credential = readCredential(headers, named);
    const id = idOf(credential);
    const rights = allowed === undefined ? ['MANAGE_OFFERS'] : allowed.get(id);
    if (rights !== undefined) return { id, scheme: credential.scheme, name: nameOf(credential), rights };
    const message = credential.scheme === 'none' ? 'Credentials are needed.' : 'These credentials are not known.';
    throw new Refusal(401, 'UNAUTHORIZED', message, { 'www-authenticate': 'Basic realm="offerline sandbox"' });
  };
  return { enter, idOf: (written) => idOf(credentialOf(written)) };
}

/** Refuses a login that lacks the right which an operation needs. */
export function demandRight(login: Login, right: string | undefined): void {
  if (right === undefined || login.rights.includes(right)) return;
  throw new Refusal(403, 'FORBIDDEN', `This login does not hold the right ${right}.`);
}

function readCredential(headers: IncomingHttpHeaders, named: string[]): Credential {
  if (headers.authorization !== undefined) {
    const [, scheme = '', text = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(headers.authorization) ?? [];
    return { scheme: scheme.toLowerCase(), text };
  }
  const names = Object.keys(headers).filter((name) => named.includes(name) || CREDENTIAL_HEADER.test(name));
  if (names.length === 0) return { scheme: 'none', text: '' };
  return {
    scheme: 'header',
    text: names
      .toSorted()
      .map((name) => `${name}: ${String(headers[name])}`)
      .join('\n'),
  };
}

function nameOf({ scheme, text }: Credential): string {
  return scheme === 'basic' ? Buffer.from(text, 'base64').toString('utf8').split(':', 1)[0]! : scheme;
}

function credentialOf(auth: WrittenCredential): Credential {
  switch (auth.type) {
    case 'none':
      return { scheme: 'none', text: '' };
    case 'basic':
      return { scheme: 'basic', text: Buffer.from(`${auth.user}:${auth.password}`).toString('base64') };
    case 'bearer':
      return { scheme: 'bearer', text: auth.token };
    case 'header':
      return { scheme: 'header', text: `${auth.name.toLowerCase()}: ${auth.value}` };
  }
}
