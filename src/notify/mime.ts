import { createTransport } from 'nodemailer';
import type { Attachment } from './attachment.ts';
import type { Mail } from './mail.ts';

/** A mail as it travels: the bytes and the envelope. */
export type Message = { bytes: Buffer; from: string; to: string; messageId: string };

const composer = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** A mail about more incidents belongs to the conversations of the first ones. */
const CONVERSATIONS = 10;

/** Sets a mail as a MIME message; the outbox and the mail server get the same bytes. */
export async function composeMessage(mail: Mail): Promise<Message> {
  const { id, from, to, subject, text, html, headers, incidents, attachments } = mail;
  const domain = from.split('@').at(-1) ?? 'offerline';
  const messageId = `<${id}@${domain}>`;
  // No mail has these ids: what announces, reminds and ends refers to the same one, whichever of them the reader was sent.
  const references = incidents.slice(0, CONVERSATIONS).map((incident) => `<incident-${incident}@${domain}>`);
  const inReplyTo = references.at(-1);
  const { message } = await composer.sendMail({
    messageId,
    baseBoundary: id,
    from: { name: 'offerline', address: from },
    to,
    subject,
    text,
    html,
    ...(inReplyTo === undefined ? {} : { inReplyTo, references }),
    headers: { 'List-Id': `offerline <offerline.${domain}>`, ...headers },
    attachments: attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content })),
  });
  return { bytes: message as Buffer, from, to, messageId };
}

/** A mail that a person will send; without `from` the program that opens it fills in its own user. */
type Draft = {
  from: string | null;
  to: { name: string; address: string };
  subject: string;
  text: string;
  attachments: Attachment[];
};

/** Sets a draft as a MIME message; `X-Unsent` makes mail programs open it for writing. */
export async function composeDraft({ from, to, subject, text, attachments }: Draft): Promise<Buffer> {
  const { message } = await composer.sendMail({
    ...(from === null ? {} : { from }),
    to,
    subject,
    text,
    headers: { 'X-Unsent': '1' },
    attachments: attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content })),
  });
  return message as Buffer;
}
