import PostalMime from 'postal-mime';
import { messageOf } from '../../../errors.ts';
import { DamagedError, type Entry, MOST_ENTRIES } from './entry.ts';
import { readUuencode } from './uuencode.ts';

/** Mails inside one another, and parts inside parts. */
const DEEPEST = { maxRfc822NestingDepth: 5, maxNestingDepth: 50, maxHeadersSize: 256 * 1024 };
/** Lines that say hardly anything, and beginnings of parts: the library keeps some 1,000 bytes for each of them. */
const [MOST_SHORT_LINES, SHORT, MOST_PARTS] = [100_000, 40, 2000];

type Node = {
  contentDisposition: { parsed: { params: Record<string, string> } };
  contentType: { parsed: { params: Record<string, string> } };
};
/** What the library asks itself of each part: whether it is a text that people read, and no attachment. */
type Judging = { isInlineTextNode: (node: Node) => boolean };

/** The attachments of a mail that is a file, also those of mails inside it, and what is uuencoded in its text. Throws `DamagedError`. */
export async function readNestedMail(bytes: Uint8Array): Promise<{ entries: Entry[]; damaged: string[] }> {
  refuseCostly(bytes);
  const parser = new PostalMime(DEEPEST);
  const judging = parser as unknown as Judging;
  const isText = judging.isInlineTextNode.bind(parser);
  // A list that is shown in the mail has a name all the same.
  judging.isInlineTextNode = (node) => isText(node) && !isNamed(node);
  const mail = await parser.parse(bytes).catch((error: unknown) => {
    throw new DamagedError(whyUnread(messageOf(error)));
  });
  if (mail.attachments.length > MOST_ENTRIES) throw new DamagedError(`it has more than ${MOST_ENTRIES} attachments`);
  const entries = mail.attachments.map(({ filename, mimeType: type, disposition, content }) => ({
    name: filename ?? '',
    type,
    disposition: disposition ?? undefined,
    bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  }));
  const inText = readUuencode(Buffer.from(mail.text ?? ''));
  return { entries: [...entries, ...inText.entries], damaged: inText.damaged };
}

/** What the library's refusals mean. */
function whyUnread(message: string): string {
  if (message.includes('header size')) return `its headers are longer than ${DEEPEST.maxHeadersSize} bytes`;
  if (message.includes('nesting depth'))
    return `its parts are more than ${DEEPEST.maxNestingDepth} deep in one another`;
  return 'its parts cannot be told apart';
}

/** Throws for a mail that is made to cost more memory than it says. */
function refuseCostly(bytes: Uint8Array): void {
  let [short, parts, from] = [0, 0, 0];
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, from)) {
    if (end - from < SHORT) short += 1;
    if (bytes[from] === DASH && bytes[from + 1] === DASH) parts += 1;
    from = end + 1;
  }
  if (short > MOST_SHORT_LINES) throw new DamagedError(`it has more than ${MOST_SHORT_LINES} short lines`);
  if (parts > MOST_PARTS) throw new DamagedError(`it has more than ${MOST_PARTS} parts`);
}

const [LINE_FEED, DASH] = [0x0a, 0x2d];

function isNamed({ contentDisposition, contentType }: Node): boolean {
  return [contentDisposition.parsed.params['filename'], contentType.parsed.params['name']].some(
    (name) => name !== undefined && name.trim() !== '',
  );
}
