import { Parser } from 'htmlparser2';
import { nameIn } from '../name.ts';

/** A link of a page: its address, and what the file may be called. */
export type Link = { url: URL; names: string[] };

/** What ends as the name of a file does. */
const FILE_NAME = /[^.]\.[a-z0-9]{1,8}$/iu;

/** Characters of the text of a link. */
const LONGEST_TEXT = 1000;

/**
 * The links of a page that may lead to files, in their order, each address once. A file may be named by the end of its address,
 * by a value in its query, or by the text of the link where these look like file names.
 */
export function linksOf(page: string, address: URL): Link[] {
  const links = new Map<string, Link>();
  let base = address;
  let current: { link: Link; text: string } | undefined;
  const parser = new Parser({
    onopentag: (tag, { href, download }) => {
      if (tag === 'base') base = URL.parse(href ?? '', address.href) ?? base;
      if (tag !== 'a' || href === undefined) return;
      const url = URL.parse(href.trim(), base.href);
      if (url === null || !/^https?:$/u.test(url.protocol)) return;
      url.hash = '';
      const link = links.get(url.href) ?? { url, names: namesIn(url) };
      if (download !== undefined && download !== '') link.names.unshift(download);
      links.set(url.href, link);
      current = { link, text: '' };
    },
    ontext: (text) => {
      if (current !== undefined && current.text.length < LONGEST_TEXT) current.text += text;
    },
    onclosetag: (tag) => {
      if (tag !== 'a' || current === undefined) return;
      const name = current.text.replaceAll(/\s+/gu, ' ').trim();
      if (FILE_NAME.test(name)) current.link.names.push(name);
      current = undefined;
    },
  });
  parser.end(page);
  return [...links.values()];
}

function namesIn(url: URL): string[] {
  const fromQuery = [...url.searchParams.values()]
    .map((value) => value.split('/').at(-1) ?? '')
    .filter((name) => FILE_NAME.test(name));
  return url.pathname.endsWith('/') ? fromQuery : [nameIn(url.href), ...fromQuery];
}
