import type { MessageStructureObject as Part } from 'imapflow';
import picomatch from 'picomatch';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { linksOf } from '../http/index/links.ts';

/** An attachment: which part of a mail, what it is called, and its size as it is encoded. */
export type Attachment = { part: string; name: string; size: number; type: string; encoding: string | undefined };

/** The text of a mail, in which links may be. */
export type TextPart = { part: string; isHtml: boolean };

/** The attachments of a mail, also those of mails that were forwarded inside it; a part without a name is none. */
export function attachmentsOf(structure: Part): Attachment[] {
  return leavesOf(structure).flatMap((leaf) => {
    const name = leaf.dispositionParameters?.['filename'] ?? leaf.parameters?.['name'];
    if (name === undefined || name.trim() === '') return [];
    return [
      { part: leaf.part ?? '1', name, size: leaf.size ?? 0, type: leaf.type, encoding: leaf.encoding?.toLowerCase() },
    ];
  });
}

/** The parts that people read. */
export function textsOf(structure: Part): TextPart[] {
  return leavesOf(structure).flatMap(({ part, type, disposition }) =>
    /^text\/(plain|html)$/u.test(type) && disposition !== 'attachment'
      ? [{ part: part ?? '1', isHtml: type === 'text/html' }]
      : [],
  );
}

/** The parts that are not made of others, numbered as RFC 9051 6.4.5 does: the body of a mail inside has a number of its own. */
function leavesOf(body: Part, above = ''): Part[] {
  return body.type.startsWith('multipart/')
    ? (body.childNodes ?? []).flatMap((child, at) => leavesAt(child, `${above}${at + 1}`))
    : leavesAt(body, `${above}1`);
}

function leavesAt(part: Part, number: string): Part[] {
  return part.childNodes === undefined
    ? [{ ...part, part: number }]
    : part.type.startsWith('multipart/')
      ? leavesOf(part, `${number}.`)
      : part.childNodes.flatMap((inner) => leavesOf(inner, `${number}.`));
}

/** A mail's own format of Outlook, which hides the attachments. */
export function isWinmail({ name, type }: Attachment): boolean {
  return type === 'application/ms-tnef' || /^winmail\.dat$/iu.test(name);
}

/** The name in the header of a part whose program wrote it as raw bytes, in whatever charset they are. */
export function rawName(header: Buffer): string | undefined {
  const text = header.toString('latin1').replaceAll(/\r?\n(?=[ \t])/gu, '');
  const [, quoted, bare] = /\b(?:file)?name="?(?:(?<=")([^"]*)"|([^\s;"]+))/iu.exec(text) ?? [];
  const written = quoted ?? bare;
  if (written === undefined) return undefined;
  const bytes = Buffer.from(written, 'latin1');
  return decodeBytes(bytes, charsetOf(bytes));
}

const CYRILLIC = /[\xC0-\xFF]{3}/u;

/** UTF-8 where the bytes are that; else letters in a row are Cyrillic, and single ones those of western Europe. */
function charsetOf(bytes: Buffer): string {
  const isUtf8 = !bytes.toString('utf8').includes('\uFFFD');
  const charset = isUtf8 ? 'utf-8' : CYRILLIC.test(bytes.toString('latin1')) ? 'windows-1251' : 'windows-1252';
  return canDecode(charset) ? charset : 'utf-8';
}

/** An address in plain text, without the signs that end a sentence. */
const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]']/giu;

/** The addresses in the text of a mail that fit one of the patterns, each once. */
export function wantedLinks(text: string, isHtml: boolean, patterns: string[]): URL[] {
  const found = isHtml
    ? linksOf(text, new URL('https://mail.invalid/')).map(({ url }) => url)
    : (text.match(ADDRESS) ?? []).flatMap((address) => URL.parse(address) ?? []);
  const matches = picomatch(
    patterns.map((pattern) => pattern.replace(/\/$/u, '/**')),
    { dot: true, nocase: true },
  );
  const fitting = found.filter(
    (url) => matches(`${url.origin}${url.pathname}`) && url.username === '' && url.password === '',
  );
  return [...new Map(fitting.map((url) => [url.href, url])).values()];
}

/**
 * The fewest bytes that a part of so many encoded ones can stand for; fewer than that were cut. `beginning` is the encoded text of
 * base64, long enough to show its lines, which are of one length: the answer is exact then, but for what ends the text.
 */
export function leastDecoded(encoded: number, encoding: string | undefined, beginning: string): number {
  if (encoding === 'base64') return leastOfBase64(encoded, beginning);
  // Each byte may be an escape of three, with line ends of their own.
  return encoding === 'quoted-printable' ? Math.floor(encoded / 4) : encoded;
}

function leastOfBase64(encoded: number, beginning: string): number {
  const lines = beginning.split(/(?<=\n)/u).slice(0, -1);
  const [first = ''] = lines;
  const isEven = lines.every((line) => line.length === first.length && /^[A-Za-z0-9+/=]+\r?\n$/u.test(line));
  if (!isEven) return Math.floor((encoded - 4) * 0.6);
  const perLine = first.length === 0 ? Infinity : first.length;
  const ends = first.length - first.trimEnd().length;
  const symbols = encoded - Math.ceil(encoded / perLine) * ends;
  return Math.max(0, Math.floor((symbols * 3) / 4) - AT_THE_END);
}

/** Padding, and blank lines that may follow the last one. */
const AT_THE_END = 16;
