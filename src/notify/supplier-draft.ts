import type { Attachment } from './attachment.ts';
import { short } from './content.ts';
import { composeDraft } from './mime.ts';
import { printable } from '../wording/printable.ts';
import { countedWords, words } from '../wording/supplier/words.ts';

/** What every mail to a supplier is made from. */
type DraftFacts = {
  supplier: { name: string; email: string };
  /** The person who will send it; null: whoever opens it. */
  from: string | null;
  /** The supplier's file, and when it came, in the supplier's time. */
  file: string;
  received: string;
  /** Rows that were read. */
  read: number;
  /** Whether the run was a trial, and nothing of it is real. */
  sandbox: boolean;
};

/** What is wrong with a file: rows with mistakes, the causes with the most frequent first, and the workbook that shows them. */
type Mistakes = { rows: number; causes: { cause: string; rows: number }[]; attachment: Attachment };

/** A mail about mistakes, or, with null, one that asks for the full list after a part of it. */
export type DraftInput = DraftFacts & { mistakes: Mistakes | null };

const SUBJECT_LENGTH = 78;
const FILE_LENGTH = 45;
const CAUSES = 6;

/** The mail to a supplier as a draft: a person opens it, changes what should be changed, and sends it. */
export function supplierDraft(input: DraftInput): Promise<Buffer> {
  const { supplier, from, mistakes } = input;
  const to = { name: printable(supplier.name), address: supplier.email };
  const attachments = mistakes === null ? [] : [mistakes.attachment];
  return composeDraft({ from, to, subject: subjectOf(input), text: textOf(input), attachments });
}

function subjectOf({ file, mistakes, sandbox }: DraftInput): string {
  const name = printable(short(file, FILE_LENGTH));
  const subject =
    mistakes === null
      ? words('mail.subject.full', { name })
      : mistakes.rows === 0
        ? words('mail.subject.file', { name })
        : countedWords('mail.subject', mistakes.rows, { name });
  return short(`${sandbox ? '[SANDBOX] ' : ''}${subject}`, SUBJECT_LENGTH - 1);
}

function textOf(input: DraftInput): string {
  const { supplier, file, received, read, mistakes, sandbox } = input;
  const thanks = words('mail.received', { name: printable(file), date: received });
  const full = [`${thanks} ${countedWords('mail.full', read)}`, words('mail.full.send')];
  return [
    ...(sandbox ? [words('first.sandbox')] : []),
    words('mail.greeting', { name: printable(supplier.name) }),
    ...(mistakes === null ? full : mistakesText(mistakes, read, thanks)),
    words('mail.thanks'),
    '',
  ].join('\n\n');
}

function mistakesText({ rows, causes }: Mistakes, read: number, thanks: string): string[] {
  const what = rows === 0 ? words('first.what.file') : countedWords('first.what', rows, { read });
  const listed = causes
    .slice(0, CAUSES)
    .map(({ cause, rows: count }) => `- ${count.toLocaleString('en')} × ${printable(cause)}`);
  const more = causes.length - listed.length;
  return [
    `${thanks} ${what} ${words(rows === 0 ? 'mail.attached.file' : 'mail.attached')}`,
    words('mail.send'),
    [words('mail.causes'), ...listed, ...(more > 0 ? [words('mail.more', { count: more })] : [])].join('\n'),
  ];
}
