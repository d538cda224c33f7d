import { html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import type { Asked } from '../actions/decide.ts';
import type { Woken } from '../actions/world.ts';
import type { Answer } from '../route.ts';

/** Leads to a page that says that something was done. `woken` false: it is recorded, and no worker heard of it yet. */
export function doneAt(address: string, done: string, woken = true): Answer {
  return { redirect: `${address}${address.includes('?') ? '&' : '?'}done=${done}${woken ? '' : '&woken=no'}` };
}

/** What `done` says where a second person has to agree. */
const ASKED = 'asked';

/** Leads to a page that says that a decision was carried out, or that a second person has to agree first. */
export function decidedAt(address: string, done: string, decided: Woken | Asked): Answer {
  return 'asked' in decided ? doneAt(address, ASKED) : doneAt(address, done, decided.woken);
}

/** Says at the top of a page what its address says of a form that was just sent. */
export function doneNotice(url: URL, { say }: Language): Part {
  if (!url.searchParams.has('done')) return null;
  const isLater = url.searchParams.get('woken') === 'no';
  if (url.searchParams.get('done') === ASKED) return html`<p class="notice" role="status">${say('web.done.asked')}</p>`;
  return html`<p class="notice" role="status">${say('web.done')} ${isLater && say('web.done.later')}</p>`;
}
