import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';

/** Where a list goes on, as what the address says besides its filters; null where it ends. */
export type Pages = { before: Record<string, string> | null; after: Record<string, string> | null; total: number };

/** Links to the pages before and after this one; the filters of the address stay. */
export function pager({ before, after, total }: Pages, url: URL, language: Language): Html {
  return html`<nav class="pages" aria-label="${language.say('web.pages')}">
    <span>${language.say('web.pages.total', { count: total })}</span>
    ${before !== null && html`<a rel="prev" href="${addressWith(url, before)}">${language.say('web.pages.before')}</a>`}
    ${after !== null && html`<a rel="next" href="${addressWith(url, after)}">${language.say('web.pages.after')}</a>`}
  </nav>`;
}

/** What an address says of a place in a list. */
const PLACES = ['before', 'after', 'page'];

/** The same address at another place of its list. */
export function addressWith(url: URL, place: Record<string, string>): string {
  const query = new URLSearchParams(url.search);
  for (const name of PLACES) query.delete(name);
  for (const [name, value] of Object.entries(place)) query.set(name, value);
  return `${url.pathname}?${query.toString()}`;
}
