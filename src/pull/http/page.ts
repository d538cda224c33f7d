import type { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { type Place, pullError } from './errors.ts';

const LOOK_BYTES = 1024;
const TITLE_BYTES = 64 * 1024;

/**
 * Passes the bytes of a file on, and refuses a web page in its place: a login form or an error that came with status
 * 200. A table that is merely labelled `text/html`, as export scripts do, is accepted.
 */
export async function* refusePages(
  chunks: AsyncIterable<Uint8Array>,
  place: Place,
  contentType: string | undefined,
): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let passed = false;
  for await (const chunk of chunks) {
    if (passed) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const page = isPage(head, contentType);
    if (page && head.length >= TITLE_BYTES) throw pageError(head, place);
    if (!page && head.length >= LOOK_BYTES) {
      passed = true;
      yield head;
    }
  }
  if (passed) return;
  if (isPage(head, contentType)) throw pageError(head, place);
  yield head;
}

function isPage(head: Buffer, contentType: string | undefined): boolean {
  const text = head.toString('latin1', 0, LOOK_BYTES).replace(/^\u00EF\u00BB\u00BF/u, '');
  if (/^\s*<(!doctype\s+html|html|head|body)\b/iu.test(text)) return true;
  return /\b(html|xhtml)\b/iu.test(contentType ?? '') && /^\s*</u.test(text);
}

function pageError(head: Buffer, place: Place): OfferlineError {
  const title = /<title[^>]*>([^<]*)/iu.exec(head.toString('utf8'))?.[1];
  const shown = foreignText(title ?? '', 100);
  const what = shown === '' ? 'a web page' : `a web page, "${shown}",`;
  return pullError(place, `sent ${what} instead of a file; check source.url and source.auth of the feed.`, {
    title: shown,
  });
}
