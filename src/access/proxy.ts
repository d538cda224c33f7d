import { z } from 'zod';
import { addressesIn } from '../config/networks.ts';
import type { Config } from '../config/schema/schema.ts';
import type { Context } from '../context.ts';
import { allUsers, findUserBySubject } from '../ledger/access/users.ts';
import type { Db, Ledger } from '../ledger/ledger.ts';
import type { Role, UserRow } from '../ledger/schema/schema.ts';
import { readAddress } from './address.ts';
import { roleOf, type Identity } from './oidc/identity.ts';
import { keepUser, loseRole } from './oidc/keep-user.ts';
import { isProxied, PROXY_HOST, proxySubjectOf, type By } from './users.ts';

/** The settings of the proxy that signs users in. */
export type ProxySettings = NonNullable<Config['web']['proxy']>;

/** What the proxy says of somebody. */
export type Proxied = { name: string; groups: string[]; email: string | null };

/** Why somebody whom the proxy names is not signed in; the refusal has words for each. */
export type ProxyRefusal = 'odd' | 'noRole' | 'disabled' | 'alike';

/**
 * What a request has of the header: nothing, one of somebody who is not the proxy, one of a connection that is closed already, one that cannot be read
 * in one way only, or who it is.
 */
export type ProxyHeader =
  { kind: 'none' | 'foreign' | 'gone' } | { kind: 'odd'; reason: string } | ({ kind: 'said' } & Proxied);

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
  if (peer === undefined) return { kind: 'gone' };
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

function isOfProxy(peer: string, proxy: ProxySettings): boolean {
  const isIn = known.get(proxy) ?? addressesIn(proxy.from);
  known.set(proxy, isIn);
  const address = readAddress(peer);
  return address !== null && isIn(address);
}

function groupsIn(proxy: ProxySettings, headers: readonly string[]): { names: string[] } | ProxyHeader {
  const values = proxy.groups === undefined ? [] : valuesOf(proxy.groups, headers);
  if (values.length > 1) return odd(`${proxy.groups} came ${values.length} times`);
  const text = utf8(values[0] ?? '');
  if (text === null || text.length > LONGEST_GROUPS || CONTROL.test(text)) return odd(`${proxy.groups} cannot be read`);
  const names = text.split(proxy.groupsSeparator).map((group) => group.trim());
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

/** Who somebody is by the header of a request, and whether the ledger has it so. */
export type KnownProxied = ({ user: UserRow } | { refused: ProxyRefusal }) & { isKept: boolean };

/** A user of the proxy with the role that the header says now; null when there is none yet. */
export async function knownProxied(
  said: Proxied,
  proxy: ProxySettings,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<KnownProxied | null> {
  const role = roleIn(said, proxy);
  const user = await findUserBySubject(ledger.db, proxySubjectOf(said.name));
  if (role === null) return { refused: 'noRole', isKept: user === undefined || user.role_lost_at !== null };
  if (user === undefined) return null;
  if (user.disabled_at !== null) return { refused: 'disabled', isKept: true };
  const isKept = user.role === role && user.email === said.email && user.role_lost_at === null;
  return { user: { ...user, role, email: said.email }, isKept };
}

/** Writes down what the proxy says of somebody, who is added when they come for the first time; gives the user, or says why there is none. */
export async function keepProxied(
  said: Proxied,
  from: Omit<By, 'who'>,
  { ledger, config, log }: Pick<Context, 'ledger' | 'config' | 'log'>,
): Promise<{ user: UserRow } | { refused: ProxyRefusal }> {
  const { proxy } = config.web;
  if (proxy === undefined) return { refused: 'noRole' };
  const known = await knownProxied(said, proxy, { ledger });
  if (known !== null && (known.isKept || !mayChange(said.name, ledger))) return known;
  const role = roleIn(said, proxy);
  const who = { subject: proxySubjectOf(said.name), host: PROXY_HOST };
  const now = await ledger.now();
  return ledger.transaction(async (trx) => {
    if (role === null) {
      await loseRole(who, from, trx, now);
      return { refused: 'noRole' };
    }
    const identity: Identity & { role: Role } = { names: [said.name], email: said.email, role, feeds: null };
    const alike = (before: string) => {
      log.warn({ name: said.name, before }, 'web.proxy wrote this name in another way before');
      return { refused: 'alike' } as const;
    };
    const before = await writtenBefore(said.name, trx);
    if (before !== null) return alike(before);
    try {
      const user = await keepUser({ ...who, identity }, from, trx, now);
      return user.disabled_at === null ? { user } : { refused: 'disabled' };
    } catch (error) {
      // Both may come for the first time at the same moment.
      const meanwhile = await writtenBefore(said.name, trx);
      if (meanwhile === null) throw error;
      return alike(meanwhile);
    }
  });
}

/** Where requests of one user say different things, they would be written by turns for ever: so many are in so many milliseconds. */
const MOST_CHANGES = 6;
const WITHIN = 10 * 60_000;

const changes = new WeakMap<Ledger, Map<string, number[]>>();

/** Counts a change of a user that is known; false when there were too many of late, and the ledger keeps what it has. */
function mayChange(name: string, ledger: Ledger): boolean {
  const all = changes.get(ledger) ?? new Map<string, number[]>();
  changes.set(ledger, all);
  const now = performance.now();
  const late = (all.get(name) ?? []).filter((at) => now - at < WITHIN);
  if (late.length >= MOST_CHANGES) return false;
  all.set(name, [...late, now]);
  return true;
}

function roleIn({ groups }: Proxied, { role, roles }: ProxySettings): Role | null {
  return role ?? roleOf(groups, roles ?? {});
}

/**
 * How the proxy called somebody before whose name differs in capitals only; null where it did not. Many directories take capitals and small letters for
 * the same, so that one person could come as two, and agree with themselves.
 */
async function writtenBefore(name: string, trx: Db): Promise<string | null> {
  const wanted = proxySubjectOf(name);
  const others = (await allUsers(trx)).flatMap(({ subject }) => (isProxied(subject) ? [subject!] : []));
  if (others.includes(wanted)) return null;
  const other = others.find((one) => one.toLowerCase() === wanted.toLowerCase());
  return other === undefined ? null : other.slice(proxySubjectOf('').length);
}
