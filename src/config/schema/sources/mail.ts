import { z } from '../zod.ts';
import { hostName } from '../service-schema.ts';
import { duration } from '../units.ts';
import { secretCommand, type WithSecrets } from '../credential.ts';
import { basicAuth, oauth2Auth } from './auth.ts';
import { serviceAccount } from './drive.ts';
import { choosing } from './folders.ts';
import { appAuth, bareUrl } from './graph.ts';

const user = { user: z.string().min(1) };

/** A password, or a token of OAuth2: one that a file holds or a command prints, read at each pull, or one that is fetched. */
const mailAuth = z.discriminatedUnion('type', [
  basicAuth,
  z.strictObject({
    type: z.literal('token'),
    ...user,
    tokenFile: z.string().min(1).optional(),
    tokenCommand: secretCommand.optional(),
  }),
  oauth2Auth.extend({ ...user, tokenUrl: bareUrl }),
  appAuth.extend(user),
  serviceAccount.extend(user),
]);

const SENDER = 'expected an address such as prices@supplier.example, or @supplier.example for all of a domain';

/** The attachments of a mailbox, as written. */
export const mailSource = z.strictObject({
  type: z.literal('mail'),
  host: hostName,
  port: z.int().min(1).max(65_535).optional(),
  security: z.enum(['implicit', 'explicit', 'none']).default('implicit'),
  auth: mailAuth,
  folder: z.string().min(1).default('INBOX'),
  from: z.array(z.string().regex(/^[^\s@<>]*@[^\s@<>]+$/u, SENDER)).min(1),
  subject: z.string().min(1).default('*'),
  require: z.enum(['dkim', 'none']).default('dkim'),
  authserv: z.string().min(1).optional(),
  link: z
    .array(
      z
        .string()
        .regex(
          /^https?:\/\/[^/*?[{]+\//u,
          'expected a pattern of addresses with a host in full, such as https://files.supplier.example/**',
        ),
    )
    .default([]),
  allowHosts: z.array(hostName).default([]),
  ...choosing,
  timeout: duration.prefault('30s'),
});

export type MailSource = WithSecrets<z.output<typeof mailSource>>;
