import { byteKind } from '../../io/byte-kind.ts';
import { readBeginning, readPieces } from '../../io/read-pieces.ts';
import { refusal } from '../../io/refusal.ts';
import { decodeBytes } from '../../io/text-decode.ts';
import { foreignText } from '../../wording/foreign-text.ts';

/** A stack of calls is long; what it begins with says what happened. */
const TAIL_BYTES = 64 * 1024;
const HEAD_BYTES = 4096;
const LONGEST_SHOWN = 160;

const PHP_ERROR = '(?:PHP )?(?:Fatal|Parse|Catchable fatal|Recoverable fatal) error(?:</b>)?: {1,4}';
const MARKUP = String.raw`(?:<[^<>]{1,200}>\s{0,10}){0,4}`;
const LINE = '[^\n]{1,1000}';

/** How programs say that they broke off. PHP writes it wherever it is, the others in a line of its own. */
const BROKEN_OFF = [
  `${PHP_ERROR}${LINE}? on line (?:<[bi]>)?\\d`,
  `Warning(?:</b>)?: {1,4}${LINE}?(?:gone away|lost connection|timed? ?out|exceeded)${LINE}? on line (?:<[bi]>)?\\d`,
  // Servers and proxies put a page of theirs behind what they have sent.
  String.raw`<title>\s{0,10}[45]\d\d\b[^<\n]{0,200}</title>`,
  `^${MARKUP}${PHP_ERROR}${LINE}`,
  String.raw`^Traceback \(most recent call last\):`,
  `^${MARKUP}(?:Microsoft|ADODB|Provider)\\b${LINE}? error '[0-9a-f]{8}'`,
  String.raw`^(?:Exception in thread "[^"\n]{0,100}" |Caused by: )?(?:[a-z]\w{0,50}\.){2,9}\w{0,80}(?:Exception|Error)(?:: ${LINE}|\s{1,9}at )`,
  String.raw`^(?:Unhandled exception[.:] )?System\.[\w.]{0,80}Exception: ${LINE}`,
  String.raw`^\w{0,40}Error: ${LINE}\n\s{1,9}at `,
  String.raw`^(?:panic|fatal error): ${LINE}\n{1,3}goroutine \d`,
  String.raw`^(?:DB[DI]::|Can't |Died )${LINE}? at \S{1,200} line \d{1,9}\.`,
  `^\\S{1,200}\\.rb:\\d{1,9}:in ${LINE}?\\(\\w{1,80}(?:Error|Exception)\\)`,
  String.raw`^ERROR \d{4} \([0-9A-Z]{5}\)(?: at line \d{1,9})?: ${LINE}`,
  `^(?:ERROR|FATAL|PANIC): {1,4}${LINE}`,
  `^ORA-\\d{5}: ${LINE}`,
  String.raw`^Msg \d{1,9}, Level \d{1,9}, State \d`,
].map((pattern) => new RegExp(pattern, 'im'));

/** So many of these name a line of a program. */
const SURE = 2;

/**
 * Refuses a text that ends with an error of the program that wrote it, or of a server: the list breaks off there, however whole its last line
 * looks. An error that rows of the list follow is in a cell of one. Throws `file-rejected`.
 */
export function refuseCutList({ path, name, bytes }: { path: string; name: string; bytes: number }): void {
  const [tail, head] = [tailOf(path, bytes), readBeginning(path, HEAD_BYTES)];
  const charset = charsetOf(head);
  const text = decodeBytes(tail, charset).replaceAll(/\r\n?/g, '\n');
  const [first = ''] = decodeBytes(head.subarray(0, head.length & ~3), charset).split(/[\r\n]/);
  for (const [at, pattern] of BROKEN_OFF.entries()) {
    const found = pattern.exec(text);
    if (found === null) continue;
    // The first ones say so by themselves, also in the middle of a row.
    const from = at < SURE ? found.index + found[0].length : found.index;
    if (hasRows(text.slice(from), first, at < SURE ? 1 : 0)) continue;
    const [line = ''] = found[0].split('\n');
    const shown = foreignText(line.replaceAll(/<[^<>]{0,200}>/g, ''), LONGEST_SHOWN);
    const message = `${name} is not whole: it ends with an error of the program that wrote it (“${shown}”). Ask the supplier to export it again.`;
    throw refusal('list-cut', message, { file: name });
  }
}

function tailOf(path: string, bytes: number): Buffer {
  const from = Math.max(0, bytes - TAIL_BYTES) & ~3;
  return readPieces(path, [from], bytes - from)[0]!;
}

/** Whatever it is, marks and letters of errors are ASCII. */
function charsetOf(head: Buffer): string {
  const kind = byteKind(head);
  return kind.kind === 'unicode' ? kind.charset : 'utf-8';
}

const DELIMITERS = [';', '\t', ',', '|'];

/** Whether a line of a text, but for so many at its beginning, has as many delimiters as the first one of the file. */
function hasRows(rest: string, first: string, but: number): boolean {
  const count = (line: string, delimiter: string) => line.split(delimiter).length - 1;
  const [delimiter = ';'] = DELIMITERS.toSorted((a, b) => count(first, b) - count(first, a));
  const least = count(first, delimiter);
  return (
    least > 0 &&
    rest
      .split('\n')
      .slice(but)
      .some((line) => count(line, delimiter) >= least)
  );
}
