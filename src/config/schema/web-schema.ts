import { isIP } from 'node:net';
import { z } from './zod.ts';

/** Where the console listens: a host or IP address of this machine, and a port. Port 0 is any free one. */
export type ListenAddress = { host: string; port: number };

const LISTEN =
  'expected an address and a port of this machine such as 127.0.0.1:8480 or [::1]:8480, or none for no console';

/** `none`, or `HOST:PORT` with the brackets of IPv6. */
const listen = z
  .string({ error: LISTEN })
  .default('127.0.0.1:8480')
  .transform((text, check): ListenAddress | null => {
    if (text === 'none') return null;
    const address = parseListen(text);
    if (address === null) check.addIssue({ code: 'custom', message: LISTEN });
    return address;
  });

function parseListen(text: string): ListenAddress | null {
  const [, host = '', digits = ''] = /^(\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/u.exec(text) ?? [];
  const bare = host.replace(/^\[(.*)\]$/u, '$1');
  const port = Number(digits);
  if (host === '' || port > 65_535 || (host.startsWith('[') && isIP(bare) !== 6)) return null;
  return { host: bare, port };
}

/** The console. `publicUrl`: what its users write into their browsers; `trustProxy`: its requests come through a proxy that says from where. */
export const web = z.strictObject({
  listen,
  publicUrl: z
    .url({ protocol: /^https?$/u, error: 'expected an address such as https://offers.example.com' })
    .optional(),
  trustProxy: z.boolean().default(false),
  timezone: z.string().default('UTC'),
});
