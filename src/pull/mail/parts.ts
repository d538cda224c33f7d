import type { MessageStructureObject as Part } from 'imapflow';
import picomatch from 'picomatch';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { HtmlError } from '../http/html.ts';
import { type Link, linksOf } from '../http/index/links.ts';

/** An attachment: which part of a mail, what it is called, and its size as it is encoded. */
export type Attachment = { part: string; name: string; size: number; type: string; encoding: string | undefined };

/** The types of parts that are sent as files, but have no name to be chosen by. */
export function namelessOf(structure: Part): string[] {
  return leavesOf(structure).flatMap(({ type, disposition, dispositionParameters, parameters }) => {
    const name = dispositionParameters?.['filename'] ?? parameters?.['name'] ?? '';
    const isFile = disposition === 'attachment' || !/^(text\/(plain|html|calendar)|image\/.*|.*signature)$/u.test(type);
    return name.trim() === '' && isFile ? [type] : [];
  });
}

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
    ? htmlLinks(text).flatMap(({ href }) => URL.parse(href) ?? [])
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

/** Links of one mail. */
const MOST_LINKS = 1000;

/** A page that is made to cost more than it says has none. */
function htmlLinks(text: string): Link[] {
  try {
    return linksOf(text, new URL('https://mail.invalid/'), MOST_LINKS);
  } catch (error) {
    if (error instanceof HtmlError) return [];
    throw error;
  }
}

/** The fewest bytes that so many encoded ones can stand for; base64 and quoted-printable have short lines, and escapes. */
export function leastDecoded(encoded: number, encoding: string | undefined): number {
  if (encoding === 'base64') return Math.floor((encoded - 4) * 0.6);
  return encoding === 'quoted-printable' ? Math.floor(encoded / 4) : encoded;
}

/**
 * False when the last bytes of a file are not those that the last of its base64 stands for. The end of base64 is known whatever its
 * lines are, because it is a whole number of four symbols; an end too short to tell anything is no reason to refuse.
 */
export function endsAs(last: Buffer, base64: string): boolean {
  const symbols = base64.replaceAll(/[^A-Za-z0-9+/=]/gu, '');
  const end = Buffer.from(symbols.slice(symbols.length % 4), 'base64');
  const length = Math.min(end.length, last.length);
  return end.subarray(end.length - length).equals(last.subarray(last.length - length));
}
