import type { MailSource } from '../../config/schema/sources/mail.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { connect } from './connect.ts';
import { Mailbox } from './mailbox.ts';

/**
 * The attachments of the mails in a mailbox, or what the links in their text lead to, of trusted senders only. The mailbox is
 * opened for reading, until a mail is to be moved or deleted. Each mail appears whole, and its parts never change.
 */
export async function openMail(source: MailSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const conversation = await connect(source, place, signal);
  const mailbox = new Mailbox(source, place, conversation, signal);
  return {
    whole: true,
    resumes: false,
    list: (wanted) => mailbox.list(wanted),
    ignored: () => mailbox.ignored,
    look: async (file) => ((await mailbox.isThere(file)) ? file : undefined),
    read: (file) => mailbox.read(file),
    remove: (file) => mailbox.remove(file),
    move: (file, to) => mailbox.move(file, to),
    goingWith: (file, other) => (other.type === 'mail' ? mailbox.goingWith(file, other) : Promise.resolve([file])),
    close: () => conversation.client.close(),
  };
}
