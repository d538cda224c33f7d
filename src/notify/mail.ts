import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { OfferlineError } from '../errors.ts';
import { attachCsv, type Attachment } from './attachment.ts';
import type { Content } from './content/content.ts';
import { htmlPart } from './html/html-part.ts';
import { incidentContent, type IncidentMailInput } from './content/incident-content.ts';
import type { MailInput } from './content/input.ts';
import { replacedContent, type ReplacedMailInput } from './content/replaced-content.ts';
import { runContent } from './content/run-content.ts';
import type { Language } from '../wording/language/language.ts';
import { subjectLine } from './subject.ts';
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
  /** The ids of the incidents that it is about: mails about the same one are shown as one conversation. */
  incidents: readonly string[];
  attachments: Attachment[];
  /** The same for a server that does not take the attachments. */
  withoutAttachments: () => Pick<Mail, 'text' | 'html'>;
};

/** To whom a mail goes and from where. */
export type Envelope = { from: string; to: string };

/**
 * The mail to one manager about a run that has ended: the facts in the subject, a text and an HTML part that say the same, and the
 * CSV if it has any rows, with what else belongs to it. Run, outcome and recipient make its id: a mail that is sent twice can be recognised, and an amended
 * outcome is another mail.
 */
export async function buildRunMail(input: MailInput, envelope: Envelope): Promise<Mail> {
  const { answer, csv, csvCharset, others = { attachments: [], notes: [] } } = input;
  const { run, feed, outcome } = answer;
  if (outcome === null) throw new OfferlineError('internal', 'A run without an outcome is nothing to write of.');
  const rowsToShow = answer.rejectionsTotal > 0 || Object.keys(answer.issues).length > 0;
  const rows = csv !== null && rowsToShow ? [await attachCsv(csv, `${feed}-${run}`, csvCharset)] : [];
  const attachments = [...rows, ...others.attachments];
  const headers = { 'X-Offerline-Run': run, 'X-Offerline-Feed': feed, 'X-Offerline-Outcome': outcome };
  const content = runContent(input, notesOf(attachments, others.notes, input.language));
  const withoutAttachments = () => parts(runContent(input, leftOutNote(input)));
  return {
    ...setMail(content, `${run}-${outcome}`, envelope, headers),
    incidents: input.incidents,
    attachments,
    withoutAttachments,
  };
}

function notesOf(attachments: Attachment[], left: string[], { say }: Language): string | null {
  const notes = [...attachments.flatMap(({ note }) => (note === null ? [] : [say(note)])), ...left];
  return notes.length === 0 ? null : notes.join(' ');
}

/** Ops are told where the files are. */
function leftOutNote({ audience, csv, language: { say } }: MailInput): string {
  return audience === 'ops' && csv !== null
    ? say('mail.note.refused-size.where', { folder: dirname(csv) })
    : say('mail.note.refused-size');
}

/** The mail to one manager about incidents that have begun, last or are over. */
export function buildIncidentMail(input: IncidentMailInput, envelope: Envelope): Mail {
  const [{ id, kind }] = input.incidents;
  const stamp = input.phase === 'reminder' ? `reminder-${input.minute}` : input.phase;
  const headers = { 'X-Offerline-Incident': kind, 'X-Offerline-Phase': input.phase };
  const incidents = input.incidents.map((incident) => incident.id);
  return { ...setMail(incidentContent(input), `${id}-${stamp}`, envelope, headers), incidents };
}

/** The mail to one manager about an installation that stops because a restored one goes on in its place. */
export function buildReplacedMail(input: ReplacedMailInput, envelope: Envelope): Mail {
  const { ledger, day } = input;
  return setMail(replacedContent(input), `replaced-${ledger}-${day}`, envelope, { 'X-Offerline-Replaced': ledger });
}

function setMail(content: Content, id: string, envelope: Envelope, headers: Record<string, string>): Mail {
  return {
    ...addressed(id, envelope, headers),
    subject: subjectLine(content),
    ...parts(content),
  };
}

function parts(content: Content): Pick<Mail, 'text' | 'html'> {
  return { text: textPart(content), html: htmlPart(content) };
}

/** A mail that says nothing yet: from whom to whom, under an id that is the same for every sending to this address. */
export function addressed(
  id: string,
  { from, to }: Envelope,
  headers: Record<string, string>,
): Omit<Mail, 'subject' | 'text' | 'html'> {
  return {
    id: `${id}-${digest(to)}`,
    from,
    to,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    incidents: [],
    attachments: [],
    withoutAttachments: () => {
      throw new OfferlineError('internal', 'This mail has no attachments to leave out.');
    },
  };
}

function digest(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 16);
}
