import { printable } from './printable.ts';

/** Markup that is safe to put into a page as it is; only `html` makes it. */
export type Html = { readonly markup: string };

/** What a template takes: text and numbers are escaped, markup is kept, nothing stays nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template tag that escapes every value that is not markup, so that no text of a supplier becomes part of the page. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  const pieces = piecesOf(strings);
  let markup = pieces[0]!;
  for (let at = 0; at < values.length; at += 1) markup += markupOf(values[at]) + pieces[at + 1]!;
  return { markup };
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The pieces of a template without the indentation that they have in the source: it is a fifth of a long table. */
function piecesOf(strings: TemplateStringsArray): readonly string[] {
  const found = known.get(strings);
  if (found !== undefined) return found;
  const pieces = strings.map((piece) => piece.replaceAll(/\n\s+/gu, '\n'));
  known.set(strings, pieces);
  return pieces;
}

/** Text as it may stand in an element or in a quoted attribute; characters that show nothing of themselves become visible. */
function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replaceAll(CONTROLS, (character) => String.fromCharCode(0x24_00 + character.charCodeAt(0)))
    .replaceAll(TURNING, printable);
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;

/** The further control characters, and those that turn the direction of writing round. */
const TURNING = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/g;

/** Everything that may have to be written in another way, halves of characters too; most texts have none of it. */
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[&<>"'\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069\uD800-\uDFFF]/;

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  let markup = '';
  for (const one of part) markup += markupOf(one);
  return markup;
}

/** A sentence whose `code` in backquotes is set as code. */
export function prose(text: string): Part {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));
}
