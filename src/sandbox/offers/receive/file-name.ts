import { extname } from 'node:path';

/** The name of an uploaded file: from a Content-Disposition header, else as given; without folders, null when empty. */
export function fileNameOf(disposition: string | undefined, given: string | null): string | null {
  const name = (disposition === undefined ? undefined : dispositionName(disposition)) ?? given ?? '';
  const base = name
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
  return base === '' ? null : base.slice(0, 255);
}

function dispositionName(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined && /^(?:[^%]|%[\da-f]{2})*$/i.test(extended)) {
    return Buffer.from(unescapeBytes(extended), 'latin1').toString('utf8');
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  const plain = quoted?.replaceAll(/\\(.)/g, '$1') ?? /;\s*filename\s*=\s*([^;\s"]+)/i.exec(header)?.[1];
  return plain === undefined ? undefined : utf8Header(plain);
}

function unescapeBytes(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Node gives header bytes as latin1; clients that write a name unescaped send UTF-8. */
function utf8Header(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? text : decoded;
}

/** A Content-Disposition header that gives a download the uploaded file's name with another ending. */
export function downloadHeader(sourceFile: string | null, id: string, ending: '.offer' | '.errors'): string {
  const source = sourceFile ?? `offer-${id}`;
  const name = `${source.slice(0, source.length - extname(source).length)}${ending}`;
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
