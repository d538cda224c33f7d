import { StringDecoder } from 'node:string_decoder';
import { XmlError } from './xml-error.ts';

const DECLARED = /^(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;
/** Bytes that are enough for a declaration. */
const HEAD_BYTES = 256;

/**
 * Decodes a document by its byte order mark, else by its first bytes, else by its declaration; UTF-8 without any. The mark
 * is left out. Bytes that are invalid become U+FFFD. Throws an XmlError for an encoding that nobody knows.
 */
export async function* decodeXml(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let decoder: Decoder | undefined;
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length < HEAD_BYTES) continue;
      decoder = decoderOf(head);
      yield withoutMark(decoder.write(head));
    } else {
      yield decoder.write(chunk);
    }
  }
  if (decoder === undefined) {
    decoder = decoderOf(head);
    yield withoutMark(decoder.write(head));
  }
  yield decoder.end();
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

type Decoder = { write: (bytes: Buffer) => string; end: () => string };

function decoderOf(head: Buffer): Decoder {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return webDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return webDecoder('utf-16be');
  const declared = DECLARED.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1] ?? 'utf-8';
  // The declaration could be read a byte at a time, so the document is not UTF-16, whatever it says.
  if (/^(?:utf-?8|us-ascii|utf-?16|ucs-?2|iso-10646-ucs)/i.test(declared)) return utf8Decoder();
  return webDecoder(declared);
}

const TAG_END = 0x3e;

/**
 * Gives pieces that end with a tag wherever they can: what is left over would have to be joined with the next piece, and
 * joined strings are read at a fraction of the speed.
 */
function utf8Decoder(): Decoder {
  const decoder = new StringDecoder('utf8');
  // One place for all pieces: a new one for each would be garbage faster than it is collected.
  let place = Buffer.allocUnsafeSlow(0);
  let kept = 0;
  return {
    write: (bytes) => {
      const length = kept + bytes.length;
      if (length > place.length) place = Buffer.concat([place.subarray(0, kept)], 2 * length);
      bytes.copy(place, kept);
      const end = place.lastIndexOf(TAG_END, length - 1) + 1;
      // Without the end of a tag it is a text that is longer than a piece.
      const whole = end > 0 ? end : length;
      const text = decoder.write(place.subarray(0, whole));
      place.copyWithin(0, whole, length);
      kept = length - whole;
      return text;
    },
    end: () => decoder.write(place.subarray(0, kept)) + decoder.end(),
  };
}

function webDecoder(label: string): Decoder {
  try {
    const decoder = new TextDecoder(label);
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  } catch {
    throw new XmlError(`the encoding "${label}" is unknown`);
  }
}
