import type { ImapFlow } from 'imapflow';
import picomatch from 'picomatch';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import type { Listed } from '../choose/choose.ts';
import { wholeReply } from '../../io/peers/read-reply.ts';
import { HtmlError } from '../http/html.ts';
import { type Link, linksOf } from '../http/index/links.ts';
import { nameIn } from '../http/name.ts';
import { readFrom } from '../http/ranged.ts';
import { openWeb } from '../http/request.ts';
import { meterOf, TEXT } from '../limits.ts';
import type { ServerPlace } from '../server/server.ts';
import { asListed } from './mail-file.ts';
import type { MailFile, UsedMail } from './gather.ts';
import type { TextPart } from './parts.ts';

/** Bytes of a text in which links are looked for. */
const LONGEST_TEXT = 1 << 20;
/** Texts of one mail; others have one in plain text and one in HTML. */
const MOST_TEXTS = 10;

/** The files to which the text of a mail leads, as far as `source.link` allows, each with its address. */
export async function linkedFiles(
  client: ImapFlow,
  { mail, texts }: { mail: UsedMail; texts: TextPart[] },
  validity: string,
  { link }: MailSource,
  place: ServerPlace,
): Promise<MailFile[]> {
  const urls: URL[] = [];
  for (const { part, isHtml } of texts.slice(0, MOST_TEXTS)) {
    const { content } = await client.download(String(mail.uid), part, { uid: true, maxBytes: LONGEST_TEXT });
    if (content === undefined) continue;
    const text = await wholeReply(
      content as AsyncIterable<Uint8Array>,
      meterOf(place, TEXT, () => client.close()),
    );
    urls.push(...wantedLinks(text.toString('utf8'), isHtml, link));
  }
  return [...new Map(urls.map((url) => [url.href, url])).values()].map((url, at) => ({
    file: asListed(mail, validity, `link ${at + 1}`, { name: nameIn(url.href), size: 0 }),
    from: url,
  }));
}

/** An address in plain text, without the signs that end a sentence. */
const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]']/giu;

/** The addresses in the text of a mail that fit one of the patterns, each once. */
function wantedLinks(text: string, isHtml: boolean, patterns: string[]): URL[] {
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

/** The bytes behind a link, whose address a supplier wrote: it must be public, or listed in `source.allowHosts`. */
export async function* readLink(
  file: Listed,
  url: URL,
  { timeout, allowHosts }: MailSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const source = {
    url: url.href,
    isForeign: true,
    timeout,
    allowHosts,
    auth: { type: 'none' },
    headers: {},
    maxRedirects: 5,
  } as const;
  const web = openWeb(source);
  try {
    yield* readFrom(web, { url, file, from: 0, signal });
  } finally {
    await web.close();
  }
}
