import { redact } from '../../wording/redact.ts';
import { cleanName } from '../source.ts';

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
  const last = path.replace(/\/+$/u, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    // In an old charset; such names are passed over.
    return `${last}\uFFFD`;
  }
}

function dispositionName(disposition: string): string {
  const extended = /;\s*filename\*\s*=\s*"?([\w!#$%&+^`{}~-]*)'[^']*'([^\s;"]+)/iu.exec(disposition);
  if (extended !== null) {
    const name = decodeBytes(percentBytes(extended[2] ?? ''), extended[1] || 'utf-8');
    if (name !== '') return name;
  }
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/iu.exec(disposition);
  return headerText(plain?.[1]?.replaceAll(/\\(["\\])/gu, '$1') ?? plain?.[2] ?? '');
}

/** Header text as servers mean it: its bytes are UTF-8 where that is possible, though the standard says Latin 1. */
export function headerText(text: string): string {
  return decodeBytes(Buffer.from(text, 'latin1'), 'utf-8') || text;
}

function percentDecoded(path: string): string {
  return decodeBytes(percentBytes(path), 'utf-8') || path;
}

/** Header and path text as bytes: percent escapes give one byte each, anything else is itself. */
function percentBytes(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function decodeBytes(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}
