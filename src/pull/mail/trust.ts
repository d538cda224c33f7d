import { getDomain } from 'tldts';
import type { MailSource } from '../../config/schema/sources/mail.ts';

/** What is known of a mail before anything of it is opened. */
export type Sender = {
  /** The addresses of its From header, as the server reads them. */
  from: string[];
  /** Its header fields in their order, unfolded: name in lower case, and value. */
  fields: [string, string][];
};

type Rules = Pick<MailSource, 'from' | 'require' | 'authserv'>;

/**
 * Why a mail is not from a listed sender, or not proved to be; undefined when it may be opened. The proof is that the server named
 * `authserv` found a DKIM signature of the sender's own domain valid (RFC 8601, RFC 7489 3.1.1), and says so in the topmost
 * Authentication-Results field: those below came with the mail, and anybody can write them.
 */
export function whyNotTrusted({ from, fields }: Sender, rules: Rules): string | undefined {
  const [address] = from;
  const written = fields.filter(([name]) => name === 'from').length;
  if (address === undefined || from.length > 1 || written > 1) return 'has not exactly one sender';
  const [, domain = '', ...more] = address.toLowerCase().split('@');
  if (more.length > 0) return 'has a sender with more than one @';
  const isListed = rules.from.some((entry) => {
    const listed = entry.toLowerCase();
    return listed.startsWith('@') ? `@${domain}` === listed : address.toLowerCase() === listed;
  });
  if (!isListed) return `is from ${address}, who is not in source.from`;
  if (rules.require === 'none') return undefined;
  const results = fields.find(([name]) => name === 'authentication-results')?.[1];
  if (results === undefined) return 'has no Authentication-Results: nobody checked its signature (source.require)';
  const { server, passed } = readResults(results);
  if (server !== rules.authserv?.toLowerCase()) {
    return `was checked by ${server === '' ? 'nobody' : server} and not by ${rules.authserv} (source.authserv)`;
  }
  if (passed.some((signer) => isAligned(signer, domain))) return undefined;
  return passed.length === 0
    ? 'has no valid DKIM signature'
    : `is signed by ${passed.join(', ')} and not by ${domain}, its sender's domain`;
}

/** Relaxed alignment: both belong to one registered domain, such as mail.supplier.example and supplier.example. */
function isAligned(signer: string, domain: string): boolean {
  if (signer === domain) return true;
  const registered = getDomain(signer, { allowPrivateDomains: true });
  return registered !== null && registered === getDomain(domain, { allowPrivateDomains: true });
}

/** The server that checked a mail, and the domains whose DKIM signatures it found valid. */
function readResults(value: string): { server: string; passed: string[] } {
  const [head = [], ...results] = statements(value);
  const passed = results.flatMap(([method = '', ...properties]) => {
    if (!/^dkim(\/1)?=pass$/iu.test(method)) return [];
    const of = (name: string) =>
      properties.find((property) => property.toLowerCase().startsWith(name))?.slice(name.length);
    const signer = of('header.d=') ?? of('header.i=')?.split('@').at(-1);
    return signer === undefined ? [] : [signer.toLowerCase()];
  });
  return { server: (head[0] ?? '').toLowerCase(), passed };
}

/** The words of each statement of a field; comments are left out, quotes taken off, spaces around `=` too. */
function statements(value: string): string[][] {
  const found: string[][] = [[]];
  let [word, last, isApart] = ['', '', false];
  let depth = 0;
  let isQuoted = false;
  const end = () => {
    if (word !== '') found.at(-1)!.push(word);
    [word, last, isApart] = ['', '', false];
  };
  const add = (sign: string) => {
    const mark = isQuoted ? '' : sign;
    if (isApart && mark !== '=' && last !== '=') end();
    [word, last, isApart] = [word + sign, mark, false];
  };
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]!;
    if (sign === '\\' && (isQuoted || depth > 0)) {
      at++;
      if (depth === 0) add(value[at] ?? '');
    } else if (isQuoted) {
      if (sign === '"') isQuoted = false;
      else add(sign);
    } else if (depth > 0) {
      if (sign === '(') depth++;
      if (sign === ')') depth--;
    } else if (sign === '"') isQuoted = true;
    else if (sign === '(') depth++;
    else if (sign === ';') {
      end();
      // The first names the server; others that are empty say nothing.
      if (found.length === 1 || found.at(-1)!.length > 0) found.push([]);
    } else if (/\s/u.test(sign)) isApart = true;
    else add(sign);
  }
  end();
  return found;
}

/** Header fields in their order, unfolded. */
export function fieldsOf(headers: string): [string, string][] {
  return headers
    .replaceAll(/\r?\n(?=[ \t])/gu, '')
    .split(/\r?\n/u)
    .flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    });
}
