import type { ServerPlace } from '../server/server.ts';
import { wholeReply } from '../../io/peers/read-reply.ts';
import { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { INSIDE, INSIDE_ASKED, meterOf } from '../limits.ts';
import type { Conversation } from './conversation.ts';
import { mailError } from './errors.ts';
import { fileOfPart, type Gathered, ignoredOf, MOST_TOLD, type MailFile, partOf, type UsedMail } from './gather.ts';
import type { Holding } from './inside/entry.ts';
import { type Inside, openInside } from './inside/inside.ts';
import { asListed } from './mail-file.ts';
import { leastDecoded, type TextPart } from './parts.ts';
import { type PartToRead, readPart } from './read-part.ts';

/** The newest attachments that are opened, and the newest mails in whose texts is looked, at each listing. */
const MOST_OPENED = 50;
/** Bytes of a text that may have a file in it. */
const SHORTEST_TEXT = 40;

/** A mailbox that is connected to. */
type Connected = { conversation: Conversation; place: ServerPlace; validity: string };

/** Adds the files that are inside attachments, which have to be fetched for that; of those that are many, the newest. */
export async function openAttachments(gathered: Gathered, connected: Connected): Promise<void> {
  const newest = newestFirst(gathered.toOpen);
  for (const [at, { mail, attachment }] of newest.entries()) {
    const holding = attachment.holding!;
    const looked =
      at < MOST_OPENED
        ? await look(partOf(mail, attachment), holding, connected)
        : `: only the newest ${MOST_OPENED} of those are opened`;
    const told = `has ${foreignText(attachment.name, 100)}`;
    const inside = typeof looked === 'string' ? { files: [], passedOver: [`${told}${looked}`] } : looked;
    add(gathered, mail, partOf(mail, attachment), { ...connected, holding, inside });
    if (attachment.isFile && inside.files.length === 0)
      gathered.files.push(fileOfPart(mail, attachment, connected.validity));
  }
}

/** Adds the files that are uuencoded in the texts of mails without an attachment that is wanted; of those that are many, the newest. */
export async function openTexts(gathered: Gathered, connected: Connected): Promise<void> {
  for (const { mail, texts } of newestFirst(gathered.texts).slice(0, MOST_OPENED)) {
    for (const text of texts.filter(mayHoldFiles)) {
      const part = partOf(mail, { ...text, name: 'a text' });
      const inside = await look(part, 'uuencode', connected);
      // Nothing says that a text which cannot be read has a file in it.
      if (typeof inside === 'string') continue;
      add(gathered, mail, part, { ...connected, holding: 'uuencode', inside });
    }
  }
}

function mayHoldFiles({ isHtml, size }: TextPart): boolean {
  return !isHtml && size >= SHORTEST_TEXT;
}

/** The bytes of a file that is inside an attachment, which is fetched once more. */
export async function* readInside(
  { conversation, place }: Omit<Connected, 'validity'>,
  part: PartToRead,
  { holding, path }: { holding: Holding; path: string },
): AsyncGenerator<Uint8Array> {
  const { files } = await openInside(await whole(conversation, part, place), holding, part.name);
  const bytes = files.find((file) => file.path === path)?.bytes;
  if (bytes === undefined) {
    const message = `${place.url} no longer has the attachment ${foreignText(part.name, 100)} as it was listed.`;
    throw new OfferlineError('pull-failed', message, { details: { url: place.url, changed: true } });
  }
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Bytes that are given on at once. */
const PIECE = 1 << 16;

function add(
  gathered: Gathered,
  mail: UsedMail,
  part: PartToRead,
  { validity, holding, inside }: { validity: string; holding: Holding; inside: Inside },
): void {
  for (const why of inside.passedOver.slice(0, MOST_TOLD)) gathered.ignored.push(ignoredOf(mail, why));
  gathered.files.push(
    ...inside.files.map(({ path, name, bytes }): MailFile => {
      const file = asListed(mail, validity, `${part.part}!${path}`, { name, size: bytes.length });
      return { file, from: { ...part, inside: { holding, path } } };
    }),
  );
}

/** What is in an attachment, or why that is not known. One that is too large or damaged costs no other. */
async function look(part: PartToRead, holding: Holding, { conversation, place }: Connected): Promise<Inside | string> {
  const { size, encoding, name } = part;
  if (leastDecoded(size, encoding) > INSIDE.bytes) return TOO_LARGE;
  try {
    const bytes = await conversation.asking(INSIDE_ASKED, () => whole(conversation, part, place));
    return await openInside(bytes, holding, name);
  } catch (error) {
    const why = whyNotOpened(mailError(error, place, name));
    if (why === undefined) throw error;
    return why;
  }
}

const TOO_LARGE = ' of more than 32 MB, which is not opened: ask for the list as a file of its own';

/** What is wrong with one attachment; undefined when it is the connection, or the server. */
function whyNotOpened({ details }: OfferlineError): string | undefined {
  if (details['most'] === INSIDE.bytes) return TOO_LARGE;
  if (typeof details['line'] === 'number') return `, which is damaged (line ${details['line']} of its base64)`;
  if (details['changed'] === true) return ', which was moved or deleted while it was looked at';
  return details['short'] === true ? ', which the mail server does not send whole' : undefined;
}

/** An attachment at once, as far as such are read. */
function whole({ client }: Conversation, part: PartToRead, place: ServerPlace): Promise<Buffer> {
  return wholeReply(
    readPart(client, part, place),
    meterOf(place, INSIDE, () => undefined),
  );
}

function newestFirst<T extends { mail: UsedMail }>(all: T[]): T[] {
  const at = ({ mail }: T) => new Date(mail.internalDate ?? 0).getTime() || 0;
  return all.toSorted((a, b) => at(b) - at(a) || b.mail.uid - a.mail.uid);
}
