import { addressed, type Envelope, type Mail } from '../mail.ts';
import { subjectLine } from '../subject.ts';
import { digestContent } from './content.ts';
import { digestHtml } from './html.ts';
import type { DigestInput } from './input.ts';
import { digestText } from './text.ts';

/** Mail programs cut what is longer than 102 kB. */
const MOST_BYTES = 100_000;

/** How many suppliers are shown: the first of these numbers with which the mail is short enough. */
const SHOWN = [150, 120, 100, 80, 65, 50, 40, 30, 20, 10, 5, 1];

/** The mail to one manager about how things stand, daily or weekly; what does not fit is counted. */
export function buildDigestMail(input: DigestInput, envelope: Envelope): Mail {
  const headers = { 'X-Offerline-Digest': input.every, 'X-Offerline-Day': input.day };
  return { ...addressed(`${input.every}-${input.day}`, envelope, headers), ...fitting(input) };
}

function fitting(input: DigestInput): Pick<Mail, 'subject' | 'text' | 'html'> {
  const versions = SHOWN.values().map((shown) => digestContent(input, shown));
  const sized = versions.map((content) => ({ content, html: digestHtml(content) }));
  let last: { content: ReturnType<typeof digestContent>; html: string } | undefined;
  for (const version of sized) {
    last = version;
    if (Buffer.byteLength(version.html) < MOST_BYTES) break;
  }
  const { content, html } = last!;
  const { sentence } = content;
  return {
    subject: subjectLine({ sandbox: input.sandbox, title: sentence }),
    text: digestText(content),
    html,
  };
}
