import { createHash } from 'node:crypto';
import { OfferlineError } from '../errors.ts';
import { outcomeSentence } from '../words.ts';
import { attachCsv, type Attachment } from './attachment.ts';
import { mailContent } from './content.ts';
import { htmlPart } from './html-part.ts';
import type { MailInput } from './input.ts';
import { textPart } from './text-part.ts';

/** A mail that is ready to be sent to one person. */
export type Mail = {
  /** The same for every sending of this mail; also names its file in an outbox. */
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  attachments: Attachment[];
};

/** Longer subjects are cut by mail programs anyway. */
const SUBJECT_LENGTH = 150;

/**
 * The mail that tells one manager of a run that has ended: the facts in the subject, a text and an HTML part that say the
 * same, the CSV attached when there is a row in it. Run, outcome
 * and recipient make its id: a mail that is sent twice can be recognised, and an amended outcome is another mail.
 */
export async function buildMail(input: MailInput, manager: { email: string }): Promise<Mail> {
  const { answer, csv, from } = input;
  const { run, feed, outcome } = answer;
  if (outcome === null) throw new OfferlineError('internal', 'A run without an outcome is nothing to write of.');
  const rowsToShow = answer.rejectionsTotal > 0 || Object.keys(answer.issues).length > 0;
  const attachments = csv !== null && rowsToShow ? [await attachCsv(csv, `${feed}-${run}`)] : [];
  const content = mailContent(input, attachments[0]?.note ?? null);
  return {
    id: `${run}-${outcome}-${digest(manager.email)}`,
    from,
    to: manager.email,
    subject: subjectOf(input),
    text: textPart(content),
    html: htmlPart(content, outcome),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Offerline-Run': run,
      'X-Offerline-Feed': feed,
      'X-Offerline-Outcome': outcome,
    },
    attachments,
  };
}

function subjectOf({ answer }: MailInput): string {
  const subject = `${answer.sandbox ? '[SANDBOX] ' : ''}${outcomeSentence(answer)}`;
  return subject.length > SUBJECT_LENGTH ? `${subject.slice(0, SUBJECT_LENGTH - 1).toWellFormed()}…` : subject;
}

function digest(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 16);
}
