import type { FetchMessageObject } from 'imapflow';
import picomatch from 'picomatch';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import type { Listed } from '../choose/choose.ts';
import type { Attachment } from './parts.ts';
import { fieldsOf, whyNotTrusted } from './trust.ts';

/** What is asked of each mail. */
export const FACTS = {
  uid: true,
  envelope: true,
  internalDate: true,
  bodyStructure: true,
  headers: ['from', 'authentication-results'],
};

/** Why nothing is taken from a mail; undefined when its files may be. */
export function whyNotUsed(mail: FetchMessageObject, source: MailSource): string | undefined {
  const from = (mail.envelope?.from ?? []).map(({ address = '' }) => address);
  const fields = fieldsOf(mail.headers?.toString('latin1') ?? '');
  const why = whyNotTrusted({ from, fields }, source);
  if (why !== undefined) return why;
  const options = { nocase: true, bash: true, dot: true };
  if (!picomatch.isMatch((mail.envelope?.subject ?? '').slice(0, LONGEST_SUBJECT), source.subject, options)) {
    return 'has another subject (source.subject)';
  }
  return mail.bodyStructure === undefined ? 'has no readable structure' : undefined;
}

/** Characters of a subject that is compared with a pattern. */
const LONGEST_SUBJECT = 1000;

/** What people call a mail. */
export function subjectOf({ envelope, uid }: FetchMessageObject): string {
  return envelope?.subject === undefined || envelope.subject === '' ? `mail ${uid}` : envelope.subject;
}

/** A file of a mail. Its time is when the mail arrived, which stays when the mailbox is numbered anew. */
export function asListed(
  { uid, internalDate }: Pick<FetchMessageObject, 'uid' | 'internalDate'>,
  validity: string,
  part: string,
  { name, size }: Pick<Attachment, 'name' | 'size'>,
): Listed {
  const at = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
  const mtimeMs = Number.isNaN(at) ? null : at;
  return { name, size, mtimeMs, id: `${validity}:${uid}:${part}`, inexact: true };
}

/** The mailbox, the mail, and the part of it in which a file is. */
export function readId(id: string | undefined): { validity: string; uid: number; part: string } {
  const [validity = '', uid = '', part = ''] = (id ?? '').split(':');
  return { validity, uid: Number(uid), part };
}
