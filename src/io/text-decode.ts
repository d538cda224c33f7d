import { own } from './dictionary.ts';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
import type iconvLite from 'iconv-lite';
import { OfferlineError } from '../errors.ts';

const UTF8 = /^utf-?8$/i;
const require = createRequire(import.meta.url);
let loaded: typeof iconvLite | undefined;

/** Most files are UTF-8, which needs no tables. */
function iconv(): typeof iconvLite {
  loaded ??= require('iconv-lite') as typeof iconvLite;
  return loaded;
}

/** Small enough that the objects made of a piece are garbage collected young, even if each row is only a few bytes. */
const CHUNK_BYTES = 64 * 1024;

/** Names that iconv-lite knows under another spelling. */
const ICONV_NAMES: Record<string, string> = { 'x-mac-cyrillic': 'macukraine', 'kz-1048': 'rk1048', ptcp154: 'pt154' };

/**
 * Decodes a text file as a stream of pieces, with the byte order mark removed when `bom` says that there is one. Bytes
 * that are invalid in the charset become U+FFFD, so that the reader can report their line; no piece ends inside a
 * character. `onBytes` is called with the length of each piece. Throws `usage` when the charset is unknown.
 */
export async function* decodeText(
  path: string,
  charset: string,
  bom: boolean,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  let first = bom;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>) {
      onBytes(piece.length);
      yield piece;
    }
  }
  for await (const text of decodeStream(counted(), charset)) {
    yield first && text.startsWith('\uFEFF') ? text.slice(1) : text;
    first = false;
  }
}

/** Decodes bytes that are in memory, by the same rules as `decodeText`; a byte order mark stays as U+FEFF. */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  if (UTF8.test(charset)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const decoder = decoderFor(charset);
  return decoder.write(bytes) + decoder.end();
}

/** Encodes text; characters that the charset lacks become `?`. Throws when the charset is unknown. */
export function encodeBytes(text: string, charset: string): Uint8Array {
  return iconv().encode(text, iconvName(charset));
}

/** Whether text in this charset can be decoded at all. */
export function canDecode(charset: string): boolean {
  return UTF8.test(charset) || iconv().encodingExists(iconvName(charset));
}

async function* decodeStream(chunks: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  const decoder = decoderFor(charset);
  for await (const chunk of chunks) {
    const text = decoder.write(chunk);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

type Decoder = { write: (bytes: Uint8Array) => string; end: () => string };

/** A decoder that keeps surrogate pairs together, and turns half a UTF-16 character and lone surrogates into U+FFFD. */
function decoderFor(charset: string): Decoder {
  if (UTF8.test(charset)) return utf8Decoder();
  const name = iconvName(charset);
  if (!canDecode(name)) {
    throw new OfferlineError('usage', `Unknown charset "${charset}". Name one such as utf-8, windows-1251 or ibm866.`);
  }
  const decoder = iconv().getDecoder(name, { stripBOM: false });
  const utf16 = /^utf-?16/i.test(name);
  let bytes = 0;
  let held = '';
  return {
    write: (chunk) => {
      bytes += chunk.length;
      const text = held + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      held = endsWithHighSurrogate(text) ? text.slice(-1) : '';
      return (held === '' ? text : text.slice(0, -1)).toWellFormed();
    },
    end: () => {
      const text = (held + (decoder.end() ?? '')).toWellFormed();
      return utf16 && bytes % 2 === 1 ? `${text}\uFFFD` : text;
    },
  };
}

/** No character of UTF-8 is cut by it, and no surrogate comes of it. */
function utf8Decoder(): Decoder {
  const decoder = new StringDecoder('utf8');
  return {
    write: (chunk) => decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)),
    end: () => decoder.end(),
  };
}

function endsWithHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

function iconvName(charset: string): string {
  return own(ICONV_NAMES, charset.toLowerCase()) ?? charset;
}
