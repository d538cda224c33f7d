import type { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { type Place, pullError } from './errors.ts';

const LOOK_BYTES = 1024;
const TITLE_BYTES = 64 * 1024;

/** How a server labels what it sends: `content-type` and `content-disposition`; and which page is that of a sign-in. */
export type Label = {
  type: string | undefined;
  disposition: string | undefined;
  isSignIn?: ((page: string) => boolean) | undefined;
};

/**
 * Passes the bytes of a file on, and refuses a web page in its place: a login form or an error that came with status
 * 200. A text that is merely labelled `text/html`, as export scripts do, is accepted, and so is a page that is a price list: one
 * with a long table, or with any table that is sent as a file to save.
 */
export async function* refusePages(
  chunks: AsyncIterable<Uint8Array>,
  place: Place,
  label: Label,
): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let [unseen, bytes]: [Uint8Array[], number] = [[], 0];
  let passed = false;
  for await (const chunk of chunks) {
    if (passed) {
      yield chunk;
      continue;
    }
    unseen.push(chunk);
    bytes += chunk.length;
    // A server may send it byte by byte.
    if (bytes < LOOK_BYTES) continue;
    head = Buffer.concat([head, ...unseen]);
    [unseen, bytes] = [[], 0];
    const page = isPage(head, label) && !isList(head, label);
    if (page && head.length >= TITLE_BYTES) throw pageError(head, place, label);
    if (!page) {
      passed = true;
      yield head;
    }
  }
  if (passed) return;
  head = Buffer.concat([head, ...unseen]);
  if (isPage(head, label) && !isList(head, label)) throw pageError(head, place, label);
  yield head;
}

/** Forms and errors have no table of so many rows. */
const LONG_TABLE = 10;

function isList(head: Buffer, { type, disposition }: Label): boolean {
  const rows = head.toString('latin1').match(/<tr\b/giu)?.length ?? 0;
  const isToSave = !HTML.test(type ?? '') || /^\s*attachment\b/iu.test(disposition ?? '');
  return rows >= (isToSave ? 2 : LONG_TABLE);
}

const HTML = /\b(html|xhtml)\b/iu;

function isPage(head: Buffer, { type }: Label): boolean {
  const text = head.toString('latin1', 0, LOOK_BYTES).replace(/^\u00EF\u00BB\u00BF/u, '');
  if (/^\s*<(!doctype\s+html|html|head|body)\b/iu.test(text)) return true;
  return HTML.test(type ?? '') && /^\s*</u.test(text);
}

function pageError(head: Buffer, place: Place, { isSignIn }: Label): OfferlineError {
  if (isSignIn?.(head.toString('utf8')) === true) return signInError(place);
  const title = /<title[^<>]*>([^<]*)/iu.exec(head.toString('utf8'))?.[1];
  const shown = foreignText(title ?? '', 100);
  const what = shown === '' ? 'a web page' : `a web page, "${shown}",`;
  return pullError(place, `sent ${what} instead of a file; check source.url and source.auth of the feed.`, {
    title: shown,
  });
}

/** The refusal of credentials that were written into a form. */
export function signInError(place: Place): OfferlineError {
  const message =
    'shows its sign-in form again: it refused the credentials. Correct source.login, or ask the supplier.';
  return pullError(place, message, { status: 401 });
}
