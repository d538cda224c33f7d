import type { Attachment } from './attachment.ts';
import { short } from './content.ts';
import { composeDraft } from './mime.ts';
import { printable } from '../wording/printable.ts';
import { countedWords, words } from '../wording/supplier/words.ts';

/** What a mail to a supplier is made from. */
export type DraftInput = {
  supplier: { name: string; email: string };
  /** The person who will send it; null: whoever opens it. */
  from: string | null;
  /** The supplier's file, and when it came, in the supplier's time. */
  file: string;
  received: string;
  /** Rows that were read and those with mistakes, and what is wrong, the most frequent first. */
  read: number;
  rows: number;
  causes: { cause: string; rows: number }[];
  attachment: Attachment;
  /** Whether the run was a trial, and nothing of it is real. */
  sandbox: boolean;
};

const SUBJECT_LENGTH = 78;
const FILE_LENGTH = 50;
const CAUSES = 6;

/** The mail to a supplier as a draft: a person opens it, changes what should be changed, and sends it. */
export function supplierDraft(input: DraftInput): Promise<Buffer> {
  const { supplier, from, attachment } = input;
  const to = { name: printable(supplier.name), address: supplier.email };
  return composeDraft({ from, to, subject: subjectOf(input), text: textOf(input), attachment });
}

function subjectOf({ file, rows, sandbox }: DraftInput): string {
  const name = printable(short(file, FILE_LENGTH));
  const subject = rows === 0 ? words('mail.subject.file', { name }) : countedWords('mail.subject', rows, { name });
  return short(`${sandbox ? '[SANDBOX] ' : ''}${subject}`, SUBJECT_LENGTH - 1);
}

function textOf({ supplier, file, received, read, rows, causes, sandbox }: DraftInput): string {
  const name = printable(file);
  const what = rows === 0 ? words('first.what.file') : countedWords('first.what', rows, { read });
  const listed = causes
    .slice(0, CAUSES)
    .map(({ cause, rows: count }) => `- ${count.toLocaleString('en')} × ${printable(cause)}`);
  const more = causes.length - listed.length;
  return [
    ...(sandbox ? [words('first.sandbox')] : []),
    words('mail.greeting', { name: printable(supplier.name) }),
    `${words('mail.received', { name, date: received })} ${what} ${words(rows === 0 ? 'mail.attached.file' : 'mail.attached')}`,
    words('mail.send'),
    [words('mail.causes'), ...listed, ...(more > 0 ? [words('mail.more', { count: more })] : [])].join('\n'),
    words('mail.thanks'),
    '',
  ].join('\n\n');
}
