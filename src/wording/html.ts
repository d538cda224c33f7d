import { printable } from './printable.ts';

/** Markup that is safe to put into a page as it is; only `html` makes it. */
export type Html = { readonly markup: string };

/** What a template takes: text and numbers are escaped, markup is kept, nothing stays nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template tag that escapes every value that is not markup, so that no text of a supplier becomes part of the page. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return { markup: String.raw({ raw: withoutIndents(strings) }, ...values.map(markupOf)) };
}

const shortened = new WeakMap<TemplateStringsArray, string[]>();

/** Templates are indented for those who read the source; a page of a thousand rows would send that a thousand times. */
function withoutIndents(strings: TemplateStringsArray): string[] {
  const known = shortened.get(strings);
  if (known !== undefined) return known;
  const short = strings.map((text) => text.replaceAll(/\n\s+/gu, '\n'));
  shortened.set(strings, short);
  return short;
}

/** Text as it may stand in an element or in a quoted attribute; characters that show nothing of themselves become visible. */
function escapeHtml(text: string): string {
  // Most texts have nothing to escape, and one look tells.
  if (!SPECIAL.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replaceAll(CONTROLS, (character) => String.fromCharCode(0x24_00 + character.charCodeAt(0)))
    .replaceAll(TURNING, printable);
}

const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[&<>"'\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202F\u2066-\u2069\uD800-\uDFFF]/;

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;

/** The further control characters, and those that turn the direction of writing round. */
const TURNING = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/g;

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

/** A sentence whose `code` in backquotes is set as code. */
export function prose(text: string): Part {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));
}
