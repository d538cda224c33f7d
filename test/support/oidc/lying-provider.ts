import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { serve } from '../http-server.ts';

/** What a provider says that is not so. */
export type Lies = {
  /** What its description says in place of what is true. */
  description?: Record<string, unknown>;
  /** What its ID token says in place of what is true; undefined is left out. */
  claims?: Record<string, unknown>;
  /** How its ID token is signed. */
  signed?: 'not at all' | 'with the public key' | 'with another key';
  /** No ID token at all. */
  silent?: true;
  /** What browsers are sent back with in place of what is true; null is left out. */
  back?: Record<string, string | null>;
  /** The status of its answers, and what they are. */
  answers?: { status: number; text: string };
};

/** A provider that can lie. */
export type LyingProvider = {
  issuer: string;
  lies: Lies;
  /** What a browser is sent back with that a console has sent to this address. */
  back: (address: string) => string;
};

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHERS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Serves a provider, of which `lies` can be changed at any time. */
export async function startLyingProvider(): Promise<LyingProvider> {
  let nonce: string | null = null;
  const made: LyingProvider = { issuer: '', lies: {}, back: () => '' };
  const { url } = await serve((request, response) => {
    const { description, claims, signed, silent, answers } = made.lies;
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/jwks')
      return json({ keys: [{ ...KEYS.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] });
    if (request.url?.startsWith('/.well-known/') === true) return json({ ...described(url), ...description });
    if (answers !== undefined)
      return response.writeHead(answers.status, { 'content-type': 'text/html' }).end(answers.text);
    const now = Math.floor(Date.now() / 1000);
    const truth = { iss: url, aud: 'offerline', sub: '7', nonce, iat: now, exp: now + 300, groups: ['admins'] };
    const token = idToken({ ...truth, preferred_username: 'anna', ...claims }, signed);
    return json({ access_token: 'a', token_type: 'Bearer', ...(silent === true ? {} : { id_token: token }) });
  });
  made.issuer = url;
  made.back = (address) => {
    const asked = new URL(address).searchParams;
    nonce = asked.get('nonce');
    const truth = { code: 'a-code', state: asked.get('state'), iss: url };
    const said = Object.entries({ ...truth, ...made.lies.back }).filter(([, value]) => value !== null);
    return `?${new URLSearchParams(Object.fromEntries(said) as Record<string, string>).toString()}`;
  };
  return made;
}

function described(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  };
}

function idToken(claims: Record<string, unknown>, signed: Lies['signed']): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const whole = (alg: string, prove: (text: Buffer) => Buffer) => {
    const text = `${part({ alg, kid: 'one', typ: 'JWT' })}.${part(claims)}`;
    return `${text}.${prove(Buffer.from(text)).toString('base64url')}`;
  };
  const by = (key: KeyObject) => whole('RS256', (text) => sign('RSA-SHA256', text, key));
  if (signed === 'not at all') return whole('none', () => Buffer.alloc(0));
  if (signed === 'with another key') return by(OTHERS.privateKey);
  if (signed !== 'with the public key') return by(KEYS.privateKey);
  const pem = KEYS.publicKey.export({ type: 'spki', format: 'pem' });
  return whole('HS256', (text) => createHmac('sha256', pem).update(text).digest());
}
