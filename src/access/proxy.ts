import { z } from 'zod';
import { addressesIn } from '../config/networks.ts';
import type { Config } from '../config/schema/schema.ts';
import type { Context } from '../context.ts';
import { allUsers, findUserBySubject } from '../ledger/access/users.ts';
import type { Db } from '../ledger/ledger.ts';
import type { Role, UserRow } from '../ledger/schema/schema.ts';
import { readAddress } from './address.ts';
import { roleOf, type Identity } from './oidc/identity.ts';
import { keepUser } from './oidc/keep-user.ts';
import { isProxied, PROXY_HOST, proxySubjectOf, type By } from './users.ts';

/** The settings of the proxy that signs users in. */
export type ProxySettings = NonNullable<Config['web']['proxy']>;

/** What the proxy says of somebody. */
export type Proxied = { name: string; groups: string[]; email: string | null };

/** Why somebody whom the proxy names is not signed in; the refusal has words for each. */
export type ProxyRefusal = 'odd' | 'noRole' | 'disabled' | 'alike';

/** What a request has of the header: nothing, one of somebody who is not the proxy, one that cannot be read in one way only, or who it is. */
export type ProxyHeader = { kind: 'none' | 'foreign' } | { kind: 'odd'; reason: string } | ({ kind: 'said' } & Proxied);

/** A name: nothing that one program takes for the end of it and another does not. */
const NAME = /^[\x21-\x2B\x2D-\x7E]{1,200}$/u;
/** Bytes of the header with the groups. */
const LONGEST_GROUPS = 8000;
const CONTROL = /\p{Cc}/u;

const known = new WeakMap<ProxySettings, (address: string) => boolean>();

/**
 * Reads who the proxy says it has signed in. `headers`: names and values by turns, as they came; `peer`: the address of the socket itself,
 * since anybody can write any other into a header. A header that came twice or has odd letters is refused: whoever added one of them hopes that
 * it is read in another way than the proxy did.
 */
export function readProxied(
  { headers, peer }: { headers: readonly string[]; peer: string | undefined },
  proxy: ProxySettings,
): ProxyHeader {
  const names = valuesOf(proxy.header, headers);
  if (names.length === 0) return { kind: 'none' };
  if (!isOfProxy(peer, proxy)) return { kind: 'foreign' };
  const [name = ''] = names;
  if (names.length > 1) return odd(`${proxy.header} came ${names.length} times`);
  if (!NAME.test(name)) return odd(`${proxy.header} is no name of up to 200 letters without blanks and commas`);
  const groups = groupsIn(proxy, headers);
  if ('kind' in groups) return groups;
  const emails = proxy.email === undefined ? [name] : valuesOf(proxy.email, headers);
  if (emails.length > 1) return odd(`${proxy.email} came ${emails.length} times`);
  const email = z.email().safeParse(emails[0]);
  return { kind: 'said', name, groups: groups.names, email: email.success ? email.data : null };
}

function isOfProxy(peer: string | undefined, proxy: ProxySettings): boolean {
  const isIn = known.get(proxy) ?? addressesIn(proxy.from);
  known.set(proxy, isIn);
  const address = readAddress(peer ?? '');
  return address !== null && isIn(address);
}

function groupsIn(proxy: ProxySettings, headers: readonly string[]): { names: string[] } | ProxyHeader {
  const values = proxy.groups === undefined ? [] : valuesOf(proxy.groups, headers);
  if (values.length > 1) return odd(`${proxy.groups} came ${values.length} times`);
  const text = utf8(values[0] ?? '');
  if (text === null || text.length > LONGEST_GROUPS || CONTROL.test(text)) return odd(`${proxy.groups} cannot be read`);
  const names = text.split(',').map((group) => group.trim());
  return { names: names.filter((group) => group !== '') };
}

function odd(reason: string): { kind: 'odd'; reason: string } {
  return { kind: 'odd', reason };
}

/** All values of a header. Its name is compared as it is: no program here takes `_` for `-`. */
function valuesOf(name: string, headers: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]!.toLowerCase() === wanted);
}

/** The text of bytes, which came as Latin letters; null where they are no UTF-8. */
function utf8(value: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return null;
  }
}

/** A user of the proxy as they are known; null when something about them has to be written down first. Never one with a role that they have no more. */
export async function knownProxied(
  said: Proxied,
  proxy: ProxySettings,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<{ user: UserRow } | { refused: ProxyRefusal } | null> {
  const role = roleIn(said, proxy);
  if (role === null) return { refused: 'noRole' };
  const user = await findUserBySubject(ledger.db, proxySubjectOf(said.name));
  if (user === undefined) return null;
  if (user.disabled_at !== null) return { refused: 'disabled' };
  return user.role === role && user.email === said.email ? { user } : null;
}

/** Writes down what the proxy says of somebody, who is added when they come for the first time; gives the user, or says why there is none. */
export async function keepProxied(
  said: Proxied,
  from: Omit<By, 'who'>,
  { ledger, config }: Pick<Context, 'ledger' | 'config'>,
): Promise<{ user: UserRow } | { refused: ProxyRefusal }> {
  const { proxy } = config.web;
  const role = proxy === undefined ? null : roleIn(said, proxy);
  if (role === null) return { refused: 'noRole' };
  const now = await ledger.now();
  return ledger.transaction(async (trx) => {
    if (await isWrittenOtherwise(said.name, trx)) return { refused: 'alike' };
    const identity: Identity & { role: Role } = { names: [said.name], email: said.email, role, feeds: null };
    const user = await keepUser({ subject: proxySubjectOf(said.name), host: PROXY_HOST, identity }, from, trx, now);
    return user.disabled_at === null ? { user } : { refused: 'disabled' };
  });
}

function roleIn({ groups }: Proxied, { role, roles }: ProxySettings): Role | null {
  return role ?? roleOf(groups, roles ?? {});
}

/**
 * Whether a user is known whom the proxy calls almost so. Many directories take capitals and small letters for the same, so that one
 * person could come as two, and agree with themselves.
 */
async function isWrittenOtherwise(name: string, trx: Db): Promise<boolean> {
  const wanted = proxySubjectOf(name);
  const others = (await allUsers(trx)).flatMap(({ subject }) => (isProxied(subject) ? [subject!] : []));
  return !others.includes(wanted) && others.some((other) => other.toLowerCase() === wanted.toLowerCase());
}
