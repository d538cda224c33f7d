import { z } from '../zod.ts';
import { hostName, httpUrl } from '../service-schema.ts';
import { duration } from '../units.ts';
import { credential, type WithSecrets } from '../credential.ts';
import { isLoopback } from '../../loopback.ts';
import { choosing } from './folders.ts';

const BARE_ADDRESS = 'expected an address without a login, ? and #; credentials belong into auth';

/** The address of an interface; it is named in messages, and credentials have a place of their own. */
export const bareUrl = httpUrl
  .refine((address) => !/[@?#]/u.test(address), BARE_ADDRESS)
  .refine(isSafe, 'expected an address with https://, because a token is sent there');

function isSafe(address: string): boolean {
  const url = URL.parse(address);
  return url === null || url.protocol === 'https:' || isLoopback(url.hostname);
}

/** An app registration, which identifies itself with a secret. */
export const appAuth = z.strictObject({
  type: z.literal('app'),
  tenant: z
    .string()
    .regex(/^[\w.-]+$/u, 'expected the directory (tenant) ID, or a domain such as shop.onmicrosoft.com'),
  clientId: z.string().min(1),
  clientSecret: credential('line'),
  loginUrl: bareUrl.optional(),
});

/** A folder in OneDrive or SharePoint, as written. */
export const graphSource = z.strictObject({
  type: z.literal('graph'),
  site: z
    .string()
    .regex(
      /^(https:\/\/)?[\w.-]+(\.[\w-]+)+([/,][^?#]*)?$/u,
      'expected the address of a site, such as https://shop.sharepoint.com/sites/suppliers',
    )
    .optional(),
  library: z.string().min(1).optional(),
  drive: z.string().min(1).optional(),
  user: z.string().min(1).optional(),
  path: z.string().min(1),
  auth: z.discriminatedUnion('type', [appAuth]),
  endpoint: bareUrl.optional(),
  ...choosing,
  timeout: duration.prefault('30s'),
  allowHosts: z.array(hostName).default([]),
});

export type AppAuth = WithSecrets<z.output<typeof appAuth>>;
export type GraphSource = WithSecrets<z.output<typeof graphSource>>;

/** Where Microsoft Graph is unless it is written: in the clouds of states it has other addresses. */
export const GRAPH = 'https://graph.microsoft.com';
/** Where it gives tokens unless it is written. */
export const MICROSOFT_LOGIN = 'https://login.microsoftonline.com';
