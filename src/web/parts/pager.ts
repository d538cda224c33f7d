import type { Page } from '../../ledger/lists/pages.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';

/** Rows of a page of a list. */
const PAGE_SIZE = 50;

/** Which page of a list an address asks for. */
export function placeIn(url: URL): { size: number; after?: string; before?: string } {
  const [after, before] = [url.searchParams.get('after'), url.searchParams.get('before')];
  return { size: PAGE_SIZE, ...(after === null ? {} : { after }), ...(before === null ? {} : { before }) };
}

/** Links to the pages before and after this one; the filters of the address stay. */
export function pager({ previous, next, total }: Omit<Page<unknown>, 'rows'>, url: URL, language: Language): Html {
  return html`<nav class="pages" aria-label="${language.say('web.pages')}">
    <span>${language.say('web.pages.total', { count: total })}</span>
    ${previous !== null && html`<a rel="prev" href="${addressWith(url, { before: previous })}">${language.say('web.pages.before')}</a>`}
    ${next !== null && html`<a rel="next" href="${addressWith(url, { after: next })}">${language.say('web.pages.after')}</a>`}
  </nav>`;
}

/** Links to the pages of a list that is counted, from 1. */
export function numberedPager(
  { page, size, total }: { page: number; size: number; total: number },
  url: URL,
  language: Language,
): Html {
  const last = Math.max(1, Math.ceil(total / size));
  return html`<nav class="pages" aria-label="${language.say('web.pages')}">
    <span>${language.say('web.pages.total', { count: total })}</span>
    ${page > 1 && html`<a rel="prev" href="${addressWith(url, { page: String(page - 1) })}">${language.say('web.pages.before')}</a>`}
    <span class="soft">${language.say('web.pages.of', { page, last })}</span>
    ${page < last && html`<a rel="next" href="${addressWith(url, { page: String(page + 1) })}">${language.say('web.pages.after')}</a>`}
  </nav>`;
}

/** What an address says of a place in a list, and of what was just done. */
const PLACES = ['before', 'after', 'page', 'done', 'woken'];

/** The same address at another place of its list. */
function addressWith(url: URL, place: Record<string, string>): string {
  const query = new URLSearchParams(url.search);
  for (const name of PLACES) query.delete(name);
  for (const [name, value] of Object.entries(place)) query.set(name, value);
  return `${url.pathname}?${query.toString()}`;
}
