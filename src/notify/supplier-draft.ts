import type { Attachment } from './attachment.ts';
import { short } from './content/content.ts';
import { composeDraft } from './mime.ts';
import { printable } from '../wording/printable.ts';
import type { Language } from '../wording/language/language.ts';

/** What every mail to a supplier is made from. */
type DraftFacts = {
  supplier: { name: string; email: string };
  /** What the supplier reads. */
  language: Language;
  /** The person who will send it; null: whoever opens it. */
  from: string | null;
  /** The supplier's file, and when it came. */
  file: string;
  received: number;
  /** Rows that were read. */
  read: number;
  /** Whether the run was a trial, and nothing of it is real. */
  sandbox: boolean;
};

/** What is wrong with a file: rows with mistakes, the causes with the most frequent first, and the workbook that shows them. */
type Mistakes = { rows: number; causes: { cause: string; rows: number }[]; attachment: Attachment };

/** A mail about mistakes, or, with null, one that asks for the full list after a part of it. */
export type DraftInput = DraftFacts & {
  mistakes: Mistakes | null;
  /** The link to the supplier's page; null where it has none. */
  page: string | null;
};

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

function subjectOf({ file, mistakes, sandbox, language: { say } }: DraftInput): string {
  const name = printable(short(file, FILE_LENGTH));
  const subject =
    mistakes === null
      ? say('supplier.mail.subject.full', { name })
      : mistakes.rows === 0
        ? say('supplier.mail.subject.file', { name })
        : say('supplier.mail.subject', { count: mistakes.rows, name });
  return short(`${sandbox ? '[SANDBOX] ' : ''}${subject}`, SUBJECT_LENGTH - 1);
}

function textOf(input: DraftInput): string {
  const { supplier, file, received, read, mistakes, page, sandbox, language } = input;
  const { say, day } = language;
  const thanks = say('supplier.mail.received', { name: printable(file), date: day(received) });
  const full = [`${thanks} ${say('supplier.mail.full', { count: read })}`, say('supplier.mail.full.send')];
  return [
    ...(sandbox ? [say('supplier.sandbox')] : []),
    say('supplier.mail.greeting', { name: printable(supplier.name) }),
    ...(mistakes === null ? full : mistakesText(mistakes, read, thanks, language)),
    ...(page === null ? [] : [`${say('supplier.mail.page')}\n${page}`]),
    say('supplier.mail.thanks'),
    '',
  ].join('\n\n');
}

function mistakesText({ rows, causes }: Mistakes, read: number, thanks: string, { say }: Language): string[] {
  const what = rows === 0 ? say('supplier.what.file') : say('supplier.what', { count: rows, read });
  const listed = causes
    .slice(0, CAUSES)
    .map(({ cause, rows: count }) => say('supplier.mail.cause', { count, cause: printable(cause) }));
  const more = causes.length - listed.length;
  return [
    `${thanks} ${what} ${say(rows === 0 ? 'supplier.mail.attached.file' : 'supplier.mail.attached')}`,
    say('supplier.mail.send'),
    [say('supplier.mail.causes'), ...listed, ...(more > 0 ? [say('supplier.mail.more', { count: more })] : [])].join(
      '\n',
    ),
  ];
}
