import { isIP } from 'node:net';
import { MAKE_SECRET, secretProblem } from '../../secrets/hook-secret.ts';
import { isPublicAddress } from '../../../io/peers/public-address.ts';
import type { Path } from '../../read/path.ts';
import type { Finding } from '../../read/problem.ts';
import { unsayable, type HookConfig } from '../../schema/hooks/hook-schema.ts';
import type { Config } from '../../schema/schema.ts';

/** A hook needs an address that may be told, and secrets that messages can be signed with. */
export function hooksCanBeTold({ hooks }: Config): Finding[] {
  return Object.entries(hooks).flatMap(([name, hook]) => {
    const of = (key: string): Path => ['hooks', name, key];
    return addressFindings(of('url'), hook).concat(
      secretFindings(of('secret'), hook),
      eventFindings(of('events'), hook),
    );
  });
}

function addressFindings(path: Path, { url: written, allowHosts }: HookConfig): Finding[] {
  const text = written.reveal();
  // A credential that is not there is said already.
  if (text === '') return [];
  const url = URL.parse(text);
  const say = (message: string) => [{ path, message }];
  if (url === null || !/^https?:$/u.test(url.protocol)) return say('expected an address that starts with https://');
  if (url.username !== '' || url.password !== '') return say('the address contains a user and password; remove them');
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
  const isAllowed = allowHosts.some((one) => URL.parse(`http://${one}`)?.hostname === url.hostname);
  if (isAllowed) return [];
  const advice = `write an https address of the public internet, or list ${url.hostname} in allowHosts of this hook`;
  if (url.protocol === 'http:') return say(`what is sent would travel unencrypted: ${advice}`);
  return isIP(host) !== 0 && !isPublicAddress(host) ? say(`${host} is not on the public internet: ${advice}`) : [];
}

function eventFindings(path: Path, { events = [], format }: HookConfig): Finding[] {
  return unsayable(events, format).map((event) => {
    const message = `a hook of format ${format} cannot be told of ${event}; remove it, or write format: json`;
    return { path: [...path, events.indexOf(event)], message };
  });
}

function secretFindings(path: Path, { secret, format }: HookConfig): Finding[] {
  // Chats and an Alertmanager look at no signature.
  if (secret === undefined && format !== 'json') return [];
  if (secret === undefined) {
    return [{ path, message: `is missing: without it receivers cannot tell who sent a message; ${MAKE_SECRET}` }];
  }
  const written = [secret].flat();
  return written.flatMap((one, index) => {
    const problem = one.reveal() === '' ? null : secretProblem(one.reveal());
    if (problem === null) return [];
    return [{ path: Array.isArray(secret) ? [...path, index] : path, message: problem }];
  });
}
