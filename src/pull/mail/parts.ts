import type { MessageStructureObject as Part } from 'imapflow';
import type { Holding } from './inside/entry.ts';
import { holdingOf, isFileItself, UNNAMED } from './inside/inside.ts';
import { fileOf, tidyName } from './part-name.ts';

/** Where a part of a mail is. */
export type PartOfMail = {
  /** Its number, which stays. */
  part: string;
  /** What the server is asked for: a mail of one part has it as its text. */
  section: string;
  /** Bytes, as it is encoded. */
  size: number;
  encoding: string | undefined;
};

/** An attachment: a part with a name. */
export type Attachment = PartOfMail & {
  name: string;
  /** It holds files itself; `isFile` when it is one where nothing is found in it. */
  holding: Holding | undefined;
  isFile: boolean;
};

/** The text of a mail, in which links and uuencoded files may be. */
export type TextPart = PartOfMail & { isHtml: boolean };

/** What a mail has, as its structure says. */
export type Contents = {
  attachments: Attachment[];
  /** The parts that people read. */
  texts: TextPart[];
  /** Why parts are passed over. */
  passedOver: string[];
};

/** What a mail has: attachments, also those of mails that were forwarded inside it, and texts. */
export function contentsOf(structure: Part): Contents {
  const contents: Contents = { attachments: [], texts: [], passedOver: [] };
  for (const leaf of leavesOf(structure)) {
    const { part = '1', size = 0, type, disposition } = leaf;
    const section = part === '1' && !structure.type.startsWith('multipart/') ? 'text' : part;
    const place = { part, section, size, encoding: leaf.encoding?.trim().toLowerCase() };
    const named = nameOf(leaf);
    const holding = holdingOf({ name: named, type, encoding: place.encoding });
    const file = fileOf({ name: named || (holding === undefined ? '' : UNNAMED[holding]), type, disposition });
    if (/^text\/(?:plain|html)$/u.test(type) && disposition !== 'attachment' && holding === undefined) {
      contents.texts.push({ ...place, isHtml: type === 'text/html' });
    }
    if (file === undefined) continue;
    if ('why' in file) contents.passedOver.push(file.why);
    else contents.attachments.push({ ...place, name: file.name, holding, isFile: isFileItself(holding, type) });
  }
  return contents;
}

/** The name of a part: the parameter of its disposition, else that of its type. */
function nameOf({ dispositionParameters, parameters }: Part): string {
  return tidyName(dispositionParameters?.['filename'] ?? '') || tidyName(parameters?.['name'] ?? '');
}

/** The parts that are not made of others, numbered as RFC 9051 6.4.5 does: the body of a mail inside has a number of its own. */
function leavesOf(body: Part, above = ''): Part[] {
  return body.type.startsWith('multipart/')
    ? (body.childNodes ?? []).flatMap((child, at) => leavesAt(child, `${above}${at + 1}`))
    : leavesAt(body, `${above}1`);
}

function leavesAt(part: Part, number: string): Part[] {
  if (part.childNodes === undefined || isEncodedMail(part)) return [{ ...part, part: number }];
  return part.type.startsWith('multipart/')
    ? leavesOf(part, `${number}.`)
    : part.childNodes.flatMap((inner) => leavesOf(inner, `${number}.`));
}

/** A mail that is encoded as a whole, which the standard forbids: what the server sees in it are no parts. */
function isEncodedMail({ type, encoding }: Part): boolean {
  return type.startsWith('message/') && /base64|quoted-printable/iu.test(encoding ?? '');
}

/** The fewest bytes that so many encoded ones can stand for; base64 and quoted-printable have short lines, and escapes. */
export function leastDecoded(encoded: number, encoding: string | undefined): number {
  if (encoding === 'base64') return Math.floor((encoded - 4) * 0.6);
  return encoding === 'quoted-printable' ? Math.floor(encoded / 4) : encoded;
}
