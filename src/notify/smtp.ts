import { createTransport } from 'nodemailer';
import { isLoopback } from '../config/loopback.ts';
import { messageOf, OfferlineError } from '../errors.ts';
import { answerOf, ReplyMeter } from '../io/peers/read-reply.ts';
import { foreignText } from '../wording/foreign-text.ts';
import { hideFromNowOn } from '../wording/redact.ts';
import { composeMessage } from './mime.ts';
import type { MailSender } from './sender.ts';

/** Bytes of one reply of a mail server, and how long it may take for all of its replies to one mail, in milliseconds. */
const REPLIES = { maxResponseSize: 64 * 1024, time: 10 * 60_000 };

/** How long a mail server may be silent, in milliseconds. */
const SILENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/**
 * Mail through the server of `smtp://user:password@host:port` or `smtps://…`. Mails and credentials leave this machine
 * encrypted, unless the address says otherwise. Throws `config` when it is not one.
 */
export function openSmtp(smtpUrl: string): MailSender {
  const address = parseAddress(smtpUrl);
  const server = createTransport({
    ...SILENCE,
    maxResponseSize: REPLIES.maxResponseSize,
    requireTLS: address.requireTls,
    url: smtpUrl,
  });
  const fail = (error: unknown): never => {
    throw smtpError(error, address);
  };
  return {
    send: async (mail) => {
      const { bytes, from, to } = await composeMessage(mail);
      const stop = new AbortController();
      const meter = meterOf(address, () => stop.abort());
      await answerOf(server.sendMail({ envelope: { from, to }, raw: bytes, signal: stop.signal }), meter).catch(fail);
      return { where: `${to} by ${address.host}`, message: null };
    },
    verify: async () => {
      // It cannot be called off: nodemailer ends the connection when it is silent.
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const meter = meterOf(address, () => reject(new Error('the check was given up')));
      await answerOf(Promise.race([server.verify(), stopped]), meter).catch(fail);
      return `the mail server ${address.host} answers`;
    },
    close: () => server.close(),
  };
}

/** `names`: the spellings of the user name, which must not be shown either. */
type Address = { host: string; requireTls: boolean; names: string[] };

/** What an address may say about TLS itself. */
const TLS_OPTIONS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

function parseAddress(smtpUrl: string): Address {
  const url = URL.parse(smtpUrl);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new OfferlineError(
      'config',
      'SMTP_URL is not the address of a mail server. Write smtp://user:password@host:587 or smtps://…:465, ' +
        'with special characters in user and password percent-encoded (@ is %40).',
    );
  }
  const [user, password] = [decode(url.username), decode(url.password)];
  // Servers repeat what they were given.
  for (const credential of password === '' ? [] : [password, `\0${user}\0${password}`]) hideFromNowOn(credential);
  const names = [url.username, user, Buffer.from(user).toString('base64')].filter((text) => text !== '');
  const requireTls = !isLoopback(url.hostname) && !TLS_OPTIONS.some((option) => url.searchParams.has(option));
  return { host: url.host, requireTls, names: names.sort((a, b) => b.length - a.length) };
}

/** What a mail server answers to one mail: nodemailer counts its bytes, we its time. */
function meterOf({ host }: Address, stop: () => void): ReplyMeter {
  const refuse = () =>
    new OfferlineError(
      'mail',
      `The mail server ${host} took longer than ${REPLIES.time / 60_000} min to answer. Ask who runs it, or correct SMTP_URL.`,
      { retryable: true, details: { host, limit: 'time' } },
    );
  return new ReplyMeter({ time: REPLIES.time }, { stop, refuse });
}

function smtpError(error: unknown, { host, names }: Address): OfferlineError {
  if (error instanceof OfferlineError) return error;
  if (messageOf(error) === 'Server response exceeds maximum allowed size') {
    const most = `${REPLIES.maxResponseSize / 1024} KB`;
    const message = `The mail server ${host} sent a reply of more than ${most}, which is not read further. Ask who runs it, or correct SMTP_URL.`;
    return new OfferlineError('mail', message, { retryable: true, details: { host, limit: 'bytes' } });
  }
  const { code, permanent, responseCode } = error as { code?: string; permanent?: boolean; responseCode?: number };
  const text = names.reduce((shown, name) => shown.replaceAll(name, '[secret]'), foreignText(messageOf(error)));
  const denied = code === 'EAUTH' || code === 'ENOAUTH';
  const what = denied
    ? 'rejected the credentials in SMTP_URL'
    : code === 'ETLS'
      ? 'cannot be reached over TLS. Correct SMTP_URL, or add ?requireTLS=false to it if you trust the network'
      : 'did not accept the mail';
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
