import { createServer } from 'node:net';
import type { MailSource } from '../../../../src/config/schema/sources/mail.ts';
import type { ImapStyle } from './imap-style.ts';
import { ImapSession } from './imap-session.ts';
import { readMime, type MimePart } from './mail-structure.ts';
import { mailSource } from '../mail-source.ts';
import { onLoopback } from '../on-loopback.ts';

/** A mail of a mailbox. */
export type KeptMail = { uid: number; bytes: Buffer; mime: MimePart; at: Date; isDeleted: boolean };

/** What the connections to a mailbox share. */
export type Mailboxes = { byName: Map<string, KeptMail[]>; nextUid: number };

/** Starts an IMAP server of this make, without TLS, whose mailboxes are kept in memory. */
export async function startMailbox(style: ImapStyle, changes: Partial<MailSource> = {}) {
  const inbox: KeptMail[] = [];
  const boxes: Mailboxes = { byName: new Map([['INBOX', inbox]]), nextUid: (style.firstUid ?? 0) + 1 };
  const server = createServer({ noDelay: true }, (socket) => new ImapSession(socket, boxes, style).begin());
  const { port, stop } = await onLoopback(server);
  const source = mailSource(port, changes);
  let second = 1_700_000_000;
  return {
    source,
    stop,
    inbox,
    /** The mails of a folder that the client made; some makes keep it below the inbox. */
    folder: (name: string) => [...boxes.byName].find(([key]) => key === name || key === `INBOX.${name}`)?.[1] ?? [],
    /** Puts a mail into the inbox; a later one is newer. */
    deliver: (bytes: Buffer, at = (second += 60)) => {
      const mail = { uid: boxes.nextUid++, bytes, mime: readMime(bytes), at: new Date(at * 1000), isDeleted: false };
      inbox.push(mail);
    },
  };
}
