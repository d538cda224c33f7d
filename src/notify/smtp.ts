import { createTransport } from 'nodemailer';
import { isLoopback } from '../config/loopback.ts';
import { messageOf, OfferlineError } from '../errors.ts';
import { composeMessage } from './mime.ts';
import type { MailSender } from './transport.ts';

/** How long a mail server may be silent, in milliseconds. */
const SILENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/**
 * Mail through the server of `smtp://user:password@host:port` or `smtps://…`. Mails and credentials leave this machine
 * encrypted, unless the address says otherwise. Throws `config` when it is not one.
 */
export function openSmtp(smtpUrl: string): MailSender {
  const address = parseAddress(smtpUrl);
  const server = createTransport({ ...SILENCE, requireTLS: address.requireTls, url: smtpUrl });
  const fail = (error: unknown): never => {
    throw smtpError(error, address);
  };
  return {
    send: async (mail) => {
      const { bytes, from, to } = await composeMessage(mail);
      await server.sendMail({ envelope: { from, to }, raw: bytes }).catch(fail);
      return { where: `${to} by ${address.host}` };
    },
    verify: async () => {
      await server.verify().catch(fail);
      return `the mail server ${address.host} answers`;
    },
    close: () => server.close(),
  };
}

type Address = { host: string; requireTls: boolean; secrets: string[] };

/** What an address may say about TLS itself. */
const TLS_OPTIONS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

function parseAddress(smtpUrl: string): Address {
  const url = URL.parse(smtpUrl);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new OfferlineError(
      'config',
      'SMTP_URL is not the address of a mail server. Write smtp://user:password@host:587 or smtps://…:465; ' +
        'special characters of user and password are percent-encoded (@ is %40).',
    );
  }
  const [user, password] = [decode(url.username), decode(url.password)];
  const sent = [user, password, `\0${user}\0${password}`].filter((text) => text !== '').map(base64);
  const secrets = [url.username, url.password, user, password, ...sent].filter((text) => text !== '');
  const requireTls = !isLoopback(url.hostname) && !TLS_OPTIONS.some((option) => url.searchParams.has(option));
  return { host: url.host, requireTls, secrets: secrets.sort((a, b) => b.length - a.length) };
}

function smtpError(error: unknown, { host, secrets }: Address): OfferlineError {
  const { code, permanent, responseCode } = error as { code?: string; permanent?: boolean; responseCode?: number };
  let text = messageOf(error);
  // Servers repeat what they were given.
  for (const secret of secrets) text = text.replaceAll(secret, '[secret]');
  const denied = code === 'EAUTH' || code === 'ENOAUTH';
  const what = denied
    ? 'refused the credentials of SMTP_URL'
    : code === 'ETLS'
      ? 'cannot be reached over TLS. Correct SMTP_URL, or add ?requireTLS=false to it where the way there is trusted'
      : 'did not take the mail';
  return new OfferlineError('mail', `The mail server ${host} ${what}: ${text}`, {
    retryable: !denied && permanent !== true,
    details: { host, code, responseCode },
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
