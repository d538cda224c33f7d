import { createHash, randomBytes } from 'node:crypto';

/** What a server asks for in place of a password (RFC 7616). */
export type DigestChallenge = {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  /** As the server writes it. */
  algorithm: string | undefined;
  /** Absent for servers of before 1999. */
  qop: 'auth' | undefined;
  /** How often this nonce was used. */
  count: number;
};

const HASHES = new Map([
  ['md5', 'md5'],
  ['md5-sess', 'md5'],
  ['sha-256', 'sha256'],
  ['sha-256-sess', 'sha256'],
  ['sha-512-256', 'sha512-256'],
  ['sha-512-256-sess', 'sha512-256'],
]);

/** A parameter of a challenge: a name and a word, or a text in quotes. */
const PARAMETER = /(?<![a-z-])([a-z-]{1,32})\s{0,8}=\s{0,8}(?:"((?:[^"\\]|\\.){0,4000})"|([^\s",]{1,1000}))/giu;
/** Where a challenge begins. */
const SCHEME = /(?:^|,)\s{0,8}([a-z][a-z0-9-]{1,32})(?=\s+[a-z-]{1,32}\s{0,8}=|\s*(?:,|$))/giu;
const LONGEST_HEADER = 4096;
/** Headers of this name that are read. */
const MOST_HEADERS = 4;

/** The strongest challenge of a `WWW-Authenticate` header that can be answered; undefined where there is none. Pure. */
export function digestChallenge(headers: string[]): DigestChallenge | undefined {
  const found = headers.slice(0, MOST_HEADERS).flatMap((header) => challengesIn(header.slice(0, LONGEST_HEADER)));
  const rank = ({ algorithm }: DigestChallenge) => (/sha/iu.test(algorithm ?? '') ? 1 : 0);
  return found.toSorted((a, b) => rank(b) - rank(a))[0];
}

function challengesIn(header: string): DigestChallenge[] {
  // Texts in quotes may have commas and names of schemes in them.
  const bare = header.replaceAll(/"(?:[^"\\]|\\.)*"/gu, (text) => `"${'x'.repeat(text.length - 2)}"`);
  const schemes = [...bare.matchAll(SCHEME)];
  return schemes.flatMap((scheme, at) => {
    if (scheme[1]!.toLowerCase() !== 'digest') return [];
    const text = header.slice(scheme.index + scheme[0].length, schemes[at + 1]?.index ?? header.length);
    const said = new Map<string, string>();
    for (const [, name = '', quoted, word] of text.matchAll(PARAMETER)) {
      said.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gu, '$1') ?? word ?? '');
    }
    const [nonce, algorithm, qop] = [said.get('nonce'), said.get('algorithm'), said.get('qop')];
    const asksFor = qop?.split(',').map((one) => one.trim().toLowerCase());
    if (nonce === undefined || !HASHES.has((algorithm ?? 'md5').toLowerCase())) return [];
    if (asksFor !== undefined && !asksFor.includes('auth')) return [];
    return [
      {
        realm: said.get('realm') ?? '',
        nonce,
        opaque: said.get('opaque'),
        algorithm,
        qop: asksFor === undefined ? undefined : ('auth' as const),
        count: 0,
      },
    ];
  });
}

type Asked = { method: string; url: URL; user: string; password: string };

/** The `Authorization` header that answers a challenge; counts the use of its nonce. `cnonce` is chosen by chance. */
export function digestAnswer(
  challenge: DigestChallenge,
  { method, url, user, password }: Asked,
  cnonce = randomBytes(16).toString('hex'),
): string {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  challenge.count += 1;
  const count = challenge.count.toString(16).padStart(8, '0');
  const uri = url.pathname + url.search;
  const hash = (text: string) =>
    createHash(HASHES.get((algorithm ?? 'md5').toLowerCase()) ?? 'md5')
      .update(text)
      .digest('hex');
  const who = hash(`${user}:${realm}:${password}`);
  const secret = /-sess$/iu.test(algorithm ?? '') ? hash(`${who}:${nonce}:${cnonce}`) : who;
  const between = qop === undefined ? nonce : `${nonce}:${count}:${cnonce}:${qop}`;
  const response = hash(`${secret}:${between}:${hash(`${method}:${uri}`)}`);
  const quoted = { username: user, realm, nonce, uri, response, ...(opaque === undefined ? {} : { opaque }) };
  const parts = [
    ...Object.entries(quoted).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/gu, '\\$&')}"`),
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${count}`, `cnonce="${cnonce}"`]),
  ];
  return `Digest ${parts.join(', ')}`;
}
