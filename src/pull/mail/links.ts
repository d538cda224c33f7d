import picomatch from 'picomatch';
import { linksOf } from '../http/index/links.ts';

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
