import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { secret } from '../../../src/config/secrets/secret.ts';

/** The password of the buyer whose mailbox tests read. */
export const MAIL_PASSWORD = 'correct-horse';

/** A mailbox on this machine as a configuration has it, without TLS unless `changes` say otherwise. */
export function mailSource(port: number, changes: Partial<MailSource> = {}): MailSource {
  return {
    type: 'mail',
    host: '127.0.0.1',
    port,
    security: 'none',
    auth: { type: 'basic', user: 'buyer', password: secret(MAIL_PASSWORD) },
    folder: 'INBOX',
    from: ['prices@supplier.example'],
    subject: '*',
    require: 'dkim',
    authserv: 'mx.shop.example',
    link: [],
    allowHosts: [],
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
    ...changes,
  };
}
