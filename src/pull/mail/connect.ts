import { ImapFlow } from 'imapflow';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import type { ServerPlace } from '../server/server.ts';
import { Conversation, IMAP_LIMITS } from './conversation.ts';
import { mailError } from './errors.ts';
import { tokenOf } from './token.ts';

const PORTS = { implicit: 993, explicit: 143, none: 143 } as const;

/** Connects to a mail server by IMAP and identifies itself; without TLS only by `security: none`. */
export async function connect(source: MailSource, place: ServerPlace, signal?: AbortSignal): Promise<Conversation> {
  const { host, port, security, auth, timeout } = source;
  const credentials =
    auth.type === 'basic'
      ? { user: auth.user, pass: auth.password.reveal() }
      : { user: auth.user, accessToken: await tokenOf(auth, place, signal) };
  const client = new ImapFlow({
    host: host.replace(/^\[|\]$/gu, ''),
    port: port ?? PORTS[security],
    secure: security === 'implicit',
    ...(security === 'implicit' ? {} : { doSTARTTLS: security === 'explicit' }),
    auth: credentials,
    logger: false,
    disableAutoIdle: true,
    // Attachments are packed already, or in base64, which hardly gets smaller.
    disableCompression: true,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    ...IMAP_LIMITS,
  });
  const close = () => client.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    const conversation = new Conversation(client, place);
    await conversation.begin();
    return conversation;
  } catch (error) {
    close();
    throw mailError(error, place, 'the connection');
  } finally {
    signal?.removeEventListener('abort', close);
  }
}
