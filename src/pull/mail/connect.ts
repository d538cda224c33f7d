import { ImapFlow } from 'imapflow';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import { statusOf } from '../../errors.ts';
import type { ServerPlace } from '../server/server.ts';
import { Conversation, IMAP_LIMITS } from './conversation.ts';
import { mailError } from './errors.ts';
import { fetchedToken, forgetFetched, isFetching, isTokenKept } from './fetched-token.ts';
import { tokenOf } from './token.ts';

const PORTS = { implicit: 993, explicit: 143, none: 143 } as const;

/**
 * Connects to a mail server by IMAP and identifies itself; without TLS only by `security: none`. A token that was fetched for an earlier
 * pull, and is refused now, is fetched anew, once.
 */
export async function connect(source: MailSource, place: ServerPlace, signal?: AbortSignal): Promise<Conversation> {
  const { auth } = source;
  const isKept = isFetching(auth) && isTokenKept(auth, place);
  try {
    return await connectOnce(source, place, signal);
  } catch (error) {
    if (!isKept || statusOf(error) !== 401) throw error;
    forgetFetched(auth, place);
    return connectOnce(source, place, signal);
  }
}

async function credentialsOf({ auth }: MailSource, place: ServerPlace, signal: AbortSignal | undefined) {
  const { user } = auth;
  if (auth.type === 'basic') return { user, pass: auth.password.reveal() };
  if (isFetching(auth)) return { user, accessToken: await fetchedToken(auth, place, signal) };
  return { user, accessToken: await tokenOf(auth, place, signal) };
}

async function connectOnce(source: MailSource, place: ServerPlace, signal?: AbortSignal): Promise<Conversation> {
  const { host, port, security, timeout } = source;
  const client = new ImapFlow({
    host: host.replace(/^\[|\]$/gu, ''),
    port: port ?? PORTS[security],
    secure: security === 'implicit',
    ...(security === 'implicit' ? {} : { doSTARTTLS: security === 'explicit' }),
    auth: await credentialsOf(source, place, signal),
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
