import { TextDecoder } from 'node:util';

/** What an XML declaration may be long; charsets that Node cannot tell by their bytes all write it as ASCII. */
const DECLARATION = 200;

/**
 * The text of an XML reply: in the charset of its byte order mark, else of the header field, else of its declaration, else UTF-8, as
 * RFC 7303 has it. Throws an Error that names a charset which is unknown, or does not fit the bytes.
 */
export function decodeXml(bytes: Buffer, contentType: string | string[] | undefined): string {
  const charset = charsetOf(bytes, String(contentType ?? ''));
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw new Error(`it is in the charset "${charset.slice(0, 40)}", which is not known`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error(`it is said to be in ${decoder.encoding}, but has bytes that are not`);
  }
}

function charsetOf(bytes: Buffer, contentType: string): string {
  const [first = 0, second = 0] = bytes;
  if (first === 0xef && second === 0xbb) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const [, ofField] = /;\s*charset\s*=\s*"?([^\s";]+)/iu.exec(contentType) ?? [];
  const declaration = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/u.exec(
    bytes.toString('latin1', 0, DECLARATION),
  );
  return ofField ?? declaration?.[1] ?? 'utf-8';
}
