import { foreignText } from '../../../wording/foreign-text.ts';
import { Base64Decoder } from '../base64.ts';
import { decodeName } from '../part-name.ts';
import { DamagedError, type Entry, MOST_ENTRIES } from './entry.ts';

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
  const lines = linesOf(text);
  const found: Uuencoded = { entries: [], damaged: [] };
  for (const line of lines) {
    const [begin, base64, written = ''] = BEGIN.exec(line) ?? [];
    if (begin === undefined) continue;
    if (found.entries.length === MOST_ENTRIES) {
      found.damaged.push(`has more than ${MOST_ENTRIES} uuencoded files in its text, of which others are not read`);
      break;
    }
    const name = decodeName(Buffer.from(written, 'latin1')).trim();
    try {
      const bytes = base64 === undefined ? uudecode(lines) : decodeBase64(lines);
      if (bytes === undefined) continue;
      found.entries.push({ name, type: 'application/octet-stream', disposition: 'attachment', bytes });
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      found.damaged.push(
        `has ${foreignText(name, 100)} in its text, which is damaged (${error.message}): ask for it again`,
      );
    }
  }
  return found;
}

/** Lines with the blanks at their beginning, which mean something, and without the line end. */
function* linesOf(text: Uint8Array): Generator<string, undefined> {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end;
    yield bytes.toString('latin1', at, Math.min(next, at + LONGEST_LINE)).replace(/\r$/u, '');
    at = next + 1;
  }
}

/** The bytes up to `end`; undefined when already the first line is none of uuencode. */
function uudecode(lines: Generator<string, undefined>): Buffer | undefined {
  const decoded: Buffer[] = [];
  for (let count = 1; ; count++) {
    const line = lines.next().value;
    if (line === undefined) throw new DamagedError(`it has no end after ${count - 1} lines`);
    if (line.trimEnd() === 'end') return Buffer.concat(decoded);
    const bytes = decodeLine(line);
    if (bytes === undefined && count === 1) return undefined;
    if (bytes === undefined) throw new DamagedError(`its line ${count} is none of uuencode`);
    decoded.push(bytes);
  }
}

/** A line: how many bytes it has, and four signs for three of them; blanks at its end may be gone. */
function decodeLine(line: string): Buffer | undefined {
  if (line.trim() === '') return Buffer.alloc(0);
  const length = (line.charCodeAt(0) - 32) & 63;
  const signs = Math.ceil(length / 3) * 4;
  const written = line.slice(1);
  // Some programs add a sign that sums up the others.
  if (line.charCodeAt(0) < 32 || line.charCodeAt(0) > 96 || written.trimEnd().length > signs + 1) return undefined;
  const bytes = Buffer.allocUnsafe((signs / 4) * 3).fill(0);
  for (let at = 0; at < signs; at++) {
    const code = at < written.length ? written.charCodeAt(at) : 32;
    if (code < 32 || code > 96) return undefined;
    const value = (code - 32) & 63;
    const [index, rest] = [Math.floor((at * 6) / 8), (at * 6) % 8];
    if (rest <= 2) bytes[index]! |= value << (2 - rest);
    else {
      bytes[index]! |= value >> (rest - 2);
      bytes[index + 1]! |= (value << (10 - rest)) & 255;
    }
  }
  return bytes.subarray(0, length);
}

/** What `uuencode -m` writes: base64 up to a line of `====`. */
function decodeBase64(lines: Generator<string, undefined>): Buffer {
  const decoder = new Base64Decoder((line) => new DamagedError(`its line ${line} is no base64`));
  const decoded: Buffer[] = [];
  for (;;) {
    const line = lines.next().value;
    if (line === undefined) throw new DamagedError('it has no end');
    if (line.trimEnd() === '====') return Buffer.concat([...decoded, decoder.end()]);
    decoded.push(decoder.write(Buffer.from(`${line}\n`, 'latin1')));
  }
}
