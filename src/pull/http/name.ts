import { cleanName, dispositionName, percentDecoded } from '../../io/file-name.ts';
import { trimEnd } from '../../io/text-parts.ts';
import { redact } from '../../wording/redact.ts';

/**
 * The name of a downloaded file: what Content-Disposition says (`filename*` before `filename`), else the end of the
 * address's path, else `download`; without credentials.
 */
export function nameOf(url: URL, disposition: string | undefined): string {
  const name = disposition === undefined ? '' : cleanName(redact(dispositionName(disposition)));
  return name || cleanName(redact(percentDecoded(url.pathname))) || 'download';
}

/** The last name in an address, decoded; an address that ends in a slash has the name before it. */
export function nameIn(href: string): string {
  const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/iu, '').replace(/[?#].*$/su, '');
  const last = trimEnd(path, '/').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    // In an old charset; such names are passed over.
    return `${last}\uFFFD`;
  }
}
