import PostalMime from 'postal-mime';
import { messageOf } from '../../../errors.ts';
import { DamagedError, type Entry, MOST_ENTRIES } from './entry.ts';
import { readUuencode } from './uuencode.ts';

/** Mails inside one another, and parts inside parts. */
const DEEPEST = { maxRfc822NestingDepth: 5, maxNestingDepth: 50 };

type Node = {
  contentDisposition: { parsed: { params: Record<string, string> } };
  contentType: { parsed: { params: Record<string, string> } };
};
/** What the library asks itself of each part: whether it is a text that people read, and no attachment. */
type Judging = { isInlineTextNode: (node: Node) => boolean };

/** The attachments of a mail that is a file, also those of mails inside it, and what is uuencoded in its text. Throws `DamagedError`. */
export async function readNestedMail(bytes: Uint8Array): Promise<{ entries: Entry[]; damaged: string[] }> {
  const parser = new PostalMime(DEEPEST);
  const judging = parser as unknown as Judging;
  const isText = judging.isInlineTextNode.bind(parser);
  // A list that is shown in the mail has a name all the same.
  judging.isInlineTextNode = (node) => isText(node) && !isNamed(node);
  const mail = await parser.parse(bytes).catch((error: unknown) => {
    throw new DamagedError(messageOf(error));
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

function isNamed({ contentDisposition, contentType }: Node): boolean {
  return [contentDisposition.parsed.params['filename'], contentType.parsed.params['name']].some(
    (name) => name !== undefined && name.trim() !== '',
  );
}
