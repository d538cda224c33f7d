import { isLoopback } from '../loopback.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';
import { isTimeZone } from './schedule.ts';

/** Beyond this machine passwords and sessions travel encrypted only, and the console has to know under which address. */
export function consoleIsSafe({ web }: Config): Finding[] {
  const { listen, publicUrl } = web;
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  const findings: Finding[] = [];
  if (listen !== null && !isLoopback(listen.host) && url?.protocol !== 'https:') {
    const message = `${listen.host} can be reached from other machines: write the https address that its users open as web.publicUrl, or listen on 127.0.0.1`;
    findings.push({ path: ['web', 'listen'], message });
  }
  if (url !== null && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
    findings.push({ path: ['web', 'publicUrl'], message: 'the console is at the root of its host: remove the path' });
  }
  if (url !== null && (url.username !== '' || url.password !== '')) {
    findings.push({ path: ['web', 'publicUrl'], message: 'the address contains a user and password; remove them' });
  }
  if (url?.protocol === 'http:' && !isLoopback(url.hostname)) {
    findings.push({
      path: ['web', 'publicUrl'],
      message: 'passwords would travel unencrypted: write an https address',
    });
  }
  return findings;
}

/** The console shows its times in one zone. */
export function consoleHasTimeZone({ web }: Config): Finding[] {
  if (isTimeZone(web.timezone)) return [];
  return [
    { path: ['web', 'timezone'], message: `unknown time zone "${web.timezone}"; write one such as Europe/Berlin` },
  ];
}
