import { foreignText } from '../../../wording/foreign-text.ts';
import { Base64Decoder } from '../base64.ts';
import { decodeName } from '../part-name.ts';
import { DamagedError, type Entry, MOST_BYTES, MOST_ENTRIES } from './entry.ts';

/** Characters of a line that are looked at; lines of uuencode have 61 and some more. */
const LONGEST_LINE = 1000;
const BEGIN = /^begin(-base64)? [0-7]{3,4} +(\S.*)$/u;

/** The files in a text, and what is said of those that are damaged. */
export type Uuencoded = { entries: Entry[]; damaged: string[] };

/**
 * The uuencoded files in a text: all between `begin 644 name` and `end`. A sentence that begins so is none, because no encoded line
 * follows it.
 */
export function readUuencode(text: Uint8Array): Uuencoded {
  const lines = new Lines(text);
  const found: Uuencoded = { entries: [], damaged: [] };
  let left = MOST_BYTES;
  for (let line = lines.nextBegin(); line !== undefined; line = lines.nextBegin()) {
    const [begin, base64, written = ''] = BEGIN.exec(line) ?? [];
    if (begin === undefined) continue;
    if (found.entries.length + found.damaged.length === MOST_ENTRIES) {
      found.damaged.push(`has more than ${MOST_ENTRIES} uuencoded files in its text, of which others are not read`);
      break;
    }
    const name = decodeName(Buffer.from(written, 'latin1')).trim();
    try {
      const bytes = base64 === undefined ? uudecode(lines, left) : decodeBase64(lines, left);
      if (bytes === undefined) continue;
      left -= bytes.length;
      found.entries.push({ name, type: 'application/octet-stream', disposition: 'attachment', bytes });
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      const what = foreignText(name, 100);
      if (error instanceof TooLargeError) {
        found.damaged.push(`has more than 32 MB in its text, of which ${what} is not read`);
        break;
      }
      found.damaged.push(`has ${what} in its text, which is damaged (${error.message}): ask for it again`);
    }
  }
  return found;
}

/** The files of a text are more than is kept. */
class TooLargeError extends DamagedError {}

/** The lines of a text, with the blanks around them, which mean something, and without their ends. */
class Lines {
  readonly #text: string;
  #at = 0;
  /** Where the next line of `====` begins that was looked for; Infinity where there is none any more. */
  #end = -1;

  constructor(text: Uint8Array) {
    this.#text = Buffer.from(text.buffer, text.byteOffset, text.length).toString('latin1');
  }

  /** The next line that may begin a file; most of a text is passed over at once. */
  nextBegin(): string | undefined {
    while (this.#text.slice(this.#at, this.#at + 5) !== 'begin') {
      const before = this.#text.indexOf('\nbegin', this.#at);
      if (before < 0) return undefined;
      this.#at = before + 1;
    }
    return this.next();
  }

  /** What stands before a line of `====`, in pieces; throws where there is none. */
  *piecesUntilEqualSigns(): Generator<string, void> {
    const from = this.#at;
    // Many beginnings may share an end, or have none.
    if (this.#end < from)
      this.#end = this.#text.startsWith('====', from) ? from : this.#text.indexOf('\n====', from) + 1;
    if (this.#end === 0) this.#end = Infinity;
    const end = this.#end;
    if (end === Infinity) throw new DamagedError('it has no end');
    this.#at = end;
    this.next();
    for (let at = from; at < end; at += SLAB) yield this.#text.slice(at, Math.min(at + SLAB, end));
  }

  next(): string | undefined {
    const from = this.#at;
    if (from >= this.#text.length) return undefined;
    const end = this.#text.indexOf('\n', from);
    const next = end < 0 ? this.#text.length : end;
    this.#at = next + 1;
    const to = this.#text[next - 1] === '\r' && next > from ? next - 1 : next;
    return this.#text.slice(from, Math.min(to, from + LONGEST_LINE));
  }
}

/** The bytes up to `end`; undefined when already the first line is none of uuencode. */
function uudecode(lines: Lines, most: number): Buffer | undefined {
  const decoded: Buffer[] = [];
  // Most that begins so is no file.
  let slab = Buffer.allocUnsafe(LONGEST_DECODED);
  let [filled, length] = [0, 0];
  for (let count = 1; ; count++) {
    const line = lines.next();
    if (line === undefined && count === 1) return undefined;
    if (line === undefined) throw new DamagedError(`it has no end after ${count - 1} lines`);
    if (line.trimEnd() === 'end') return Buffer.concat([...decoded, slab.subarray(0, filled)]);
    if (filled + LONGEST_DECODED > slab.length) {
      decoded.push(slab.subarray(0, filled));
      [slab, filled] = [Buffer.allocUnsafe(SLAB), 0];
    }
    const added = decodeLine(line, slab, filled);
    if (added === undefined && count === 1) return undefined;
    if (added === undefined) throw new DamagedError(`its line ${count} is none of uuencode`);
    filled += added;
    length += added;
    if (length > most) throw new TooLargeError();
  }
}

/** Bytes of a line, as its first sign counts them, and with those that fill it up; and of the pieces in which they are kept. */
const LONGEST_DECODED = 66;
const SLAB = 1 << 16;

/** Decodes a line: how many bytes it has, and four signs for three of them; blanks at its end may be gone. */
function decodeLine(line: string, into: Buffer, at: number): number | undefined {
  if (line === '`' || line.trim() === '') return 0;
  const length = (line.charCodeAt(0) - 32) & 63;
  const signs = Math.ceil(length / 3) * 4;
  // Some programs add a sign that sums up the others.
  if (line.charCodeAt(0) < 32 || line.charCodeAt(0) > 96 || line.trimEnd().length > signs + 2) return undefined;
  for (let sign = 0, to = at; sign < signs; sign += 4, to += 3) {
    const [a, b, c, d] = [
      valueAt(line, sign + 1),
      valueAt(line, sign + 2),
      valueAt(line, sign + 3),
      valueAt(line, sign + 4),
    ];
    if (Math.min(a, b, c, d) < 0) return undefined;
    into[to] = (a << 2) | (b >> 4);
    into[to + 1] = ((b & 15) << 4) | (c >> 2);
    into[to + 2] = ((c & 3) << 6) | d;
  }
  return length;
}

/** What a sign stands for; zero where a blank is gone, and less for what is no sign. */
function valueAt(line: string, at: number): number {
  if (at >= line.length) return 0;
  const code = line.charCodeAt(at);
  return code < 32 || code > 96 ? -1 : (code - 32) & 63;
}

/** What `uuencode -m` writes: base64 up to a line of `====`. */
function decodeBase64(lines: Lines, most: number): Buffer {
  const decoder = new Base64Decoder((line) => new DamagedError(`its line ${line} is no base64`));
  const decoded: Buffer[] = [];
  let length = 0;
  const keep = (bytes: Buffer) => {
    length += bytes.length;
    if (length > most) throw new TooLargeError();
    if (bytes.length > 0) decoded.push(bytes);
  };
  for (const piece of lines.piecesUntilEqualSigns()) keep(decoder.write(Buffer.from(piece, 'latin1')));
  keep(decoder.end());
  return Buffer.concat(decoded);
}
