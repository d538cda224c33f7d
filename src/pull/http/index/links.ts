import { walkHtml } from '../html.ts';
import { nameIn } from '../name.ts';

/** A link of a page: its address, and what the file may be called. */
export type Link = { href: string; names: string[] };

/** What ends as the name of a file does. */
const FILE_NAME = /[^.]\.[a-z0-9]{1,8}$/iu;

/** Characters of the text of a link. */
const LONGEST_TEXT = 1000;
/** Characters of an address; servers take no longer ones. */
const LONGEST_ADDRESS = 8000;

/**
 * The links of a page that may lead to files, in their order, each address once; of more than `most` there is one more, which shows
 * it. A file may be named by the end of its address, by a value in its query, or by the text of the link where these look like file
 * names. Throws as `walkHtml`.
 */
export function linksOf(page: string, address: URL, most: number): Link[] {
  const links = new Map<string, Link>();
  let base = address;
  let current: { link: Link; text: string } | undefined;
  walkHtml(page, {
    open: (tag, { href, download }) => {
      if (href === undefined || href.length > LONGEST_ADDRESS || links.size > most) return;
      if (tag === 'base') base = URL.parse(href, address.href) ?? base;
      if (tag !== 'a') return;
      const url = URL.parse(href.trim(), base.href);
      if (url === null || !/^https?:$/u.test(url.protocol)) return;
      url.hash = '';
      const link = links.get(url.href) ?? { href: url.href, names: namesIn(url) };
      if (download !== undefined && download !== '') link.names.unshift(download.slice(0, LONGEST_TEXT));
      links.set(url.href, link);
      current = { link, text: '' };
    },
    text: (text) => {
      if (current !== undefined && current.text.length < LONGEST_TEXT) current.text += text.slice(0, LONGEST_TEXT);
    },
    close: (tag) => {
      if (tag !== 'a' || current === undefined) return;
      const name = current.text.replaceAll(/\s+/gu, ' ').trim();
      if (FILE_NAME.test(name)) current.link.names.push(name);
      current = undefined;
    },
  });
  return [...links.values()];
}

function namesIn(url: URL): string[] {
  const fromQuery = [...url.searchParams.values()]
    .map((value) => value.split('/').at(-1) ?? '')
    .filter((name) => FILE_NAME.test(name));
  return url.pathname.endsWith('/') ? fromQuery : [nameIn(url.href), ...fromQuery];
}
