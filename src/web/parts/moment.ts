import { html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';

/** A moment, in the time zone of the console; a dash where there is none. */
export function moment(at: number | null, language: Language): Part {
  if (at === null) return '–';
  return html`<time datetime="${new Date(at).toISOString()}">${language.stamp(at)}</time>`;
}
