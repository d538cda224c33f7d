import { html, prose, type Html } from '../html.ts';
import { USUAL_LANGUAGE } from '../language/language.ts';

/** What is said to ops in their language: a sentence of ours (null: there is none), and the words of others that go with it. */
export type Said = { text: string | null; quoted: string | null };

/** The same on a page: words of others stand in quotation marks, and are English as far as is known. */
export function saidHtml({ text, quoted }: Said): Html {
  return html`${text !== null && html`<bdi>${prose(text)}</bdi>`}
  ${quoted !== null && html`<q lang="${USUAL_LANGUAGE}">${prose(quoted)}</q>`}`;
}
