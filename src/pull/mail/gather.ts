import type { FetchMessageObject } from 'imapflow';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import type { ReplyMeter } from '../../io/peers/read-reply.ts';
import { ownCopy } from '../../io/text-parts.ts';
import type { Listed } from '../choose/choose.ts';
import { asListed, subjectOf, whyNotUsed } from './mail-file.ts';
import { type Attachment, contentsOf, type TextPart } from './parts.ts';
import type { PartToRead } from './read-part.ts';

/** Parts of one mail, or of an attachment, of which is told why they are passed over. */
export const MOST_TOLD = 10;

/** Which mails are used, and which of their files are wanted. */
export type Chosen = { validity: string; source: MailSource; wanted: (name: string) => boolean };

/** What is known of a mail that is used. */
export type UsedMail = Pick<FetchMessageObject, 'uid' | 'internalDate'> & { subject: string };

/** A file of a mail, and how its bytes are got: a part, or what `inner` leads to in a part that holds files; or an address. */
export type MailFile = { file: Listed; from: (PartToRead & { inside?: InsideOf }) | URL };

/** Where in a part a file is. */
type InsideOf = { holding: NonNullable<Attachment['holding']>; path: string };

/** The files that the structures of mails show, and what has to be asked for to know of more. */
export type Gathered = {
  files: MailFile[];
  /** Attachments that hold files. */
  toOpen: { mail: UsedMail; attachment: Attachment }[];
  /** Texts in which files or links may be, of mails without an attachment that is wanted. */
  texts: { mail: UsedMail; texts: TextPart[] }[];
  /** What is passed over, by the subject of its mail. */
  ignored: { name: string; why: string }[];
};

/** Looks through the facts of mails; `meter` counts their files. */
export async function gather(
  mails: AsyncIterable<FetchMessageObject>,
  { validity, source, wanted }: Chosen,
  meter: ReplyMeter,
): Promise<Gathered> {
  const gathered: Gathered = { files: [], toOpen: [], texts: [], ignored: [] };
  for await (const facts of mails) {
    const { uid, internalDate } = facts;
    const mail = { uid, internalDate, subject: ownCopy(subjectOf(facts), 200) };
    const why = whyNotUsed(facts, source);
    if (why !== undefined) {
      gathered.ignored.push(ignoredOf(mail, why));
      continue;
    }
    const { attachments, texts, passedOver } = contentsOf(facts.bodyStructure!);
    for (const reason of passedOver.slice(0, MOST_TOLD)) gathered.ignored.push(ignoredOf(mail, reason));
    // Its mail was counted as the first of them.
    meter.count({ entries: Math.max(0, attachments.length - 1) });
    const files = attachments.filter(({ holding }) => holding === undefined);
    for (const attachment of files) gathered.files.push(fileOfPart(mail, attachment, validity));
    for (const attachment of attachments.filter(({ holding }) => holding !== undefined)) {
      gathered.toOpen.push({ mail, attachment });
    }
    if (texts.length > 0 && !files.some(({ name }) => wanted(name))) gathered.texts.push({ mail, texts });
  }
  return gathered;
}

/** A part of a mail as a file. */
export function fileOfPart(mail: UsedMail, attachment: Attachment, validity: string): MailFile {
  const file = asListed(mail, validity, attachment.part, attachment);
  return { file, from: partOf(mail, attachment) };
}

/** A part to be read, with what people call it. */
export function partOf({ uid, subject }: UsedMail, part: Attachment | (TextPart & { name: string })): PartToRead {
  const { section, size, encoding, name } = part;
  return { part: part.part, section, size, encoding, name, uid, subject };
}

/** What is said of a mail, of which nothing else is kept. */
export function ignoredOf({ subject }: UsedMail, why: string): { name: string; why: string } {
  return { name: subject, why: ownCopy(why, 500) };
}
