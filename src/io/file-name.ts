/** The longest name that is kept. */
const LONGEST_NAME = 200;

/** The name of a file from outside, made safe to show and to keep: no folders, no control characters, not too long. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? '';
  const shown = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^\.+/u, '')
    .trim();
  const extension = /\.[^.]{1,16}$/u.exec(shown)?.[0] ?? '';
  return shown.length <= LONGEST_NAME ? shown : shown.slice(0, LONGEST_NAME - extension.length) + extension;
}

/** The file name in a Content-Disposition header (`filename*` before `filename`), as it was written; empty where there is none. */
export function dispositionName(disposition: string): string {
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

/** The path of an address without its percent escapes, where they are UTF-8. */
export function percentDecoded(path: string): string {
  return decodeBytes(percentBytes(path), 'utf-8') || path;
}
