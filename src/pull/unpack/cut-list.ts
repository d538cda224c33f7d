import { readPieces } from '../../io/read-pieces.ts';
import { refusal } from '../../io/refusal.ts';
import { foreignText } from '../../wording/foreign-text.ts';

const TAIL_BYTES = 4096;
const LONGEST_SHOWN = 160;

/** How programs say, in a line of its own, that they broke off: PHP, Python, ASP, Java and .NET, databases. */
const BROKEN_OFF = [
  /^(?:<[^<>]{1,40}>\s{0,10}){0,4}(?:PHP )?(?:Fatal|Parse|Catchable fatal|Recoverable fatal) error(?:<\/b>)?: .*/im,
  /^Traceback \(most recent call last\):.*/m,
  /^(?:<[^<>]{1,40}>\s{0,10}){0,4}(?:Microsoft|ADODB|Provider)\b.{0,100} error '[0-9a-f]{8}'.*/im,
  /^(?:Exception in thread "[^"\n]{0,100}" |Caused by: |Unhandled exception[.:] )?(?:javax?|org|com|System)\.[\w.]{1,200}(?:Exception|Error)\b.*/m,
  /^ERROR \d{4} \([0-9A-Z]{5}\)(?: at line \d{1,9})?: .*/m,
];

/**
 * Refuses a text that ends with an error of the program that wrote it: the list breaks off there, however whole its last line looks.
 * Throws `file-rejected`.
 */
export function refuseCutList({ path, name, bytes }: { path: string; name: string; bytes: number }): void {
  const from = Math.max(0, bytes - TAIL_BYTES);
  const tail = readPieces(path, [from], TAIL_BYTES)[0]!.toString('utf8').replaceAll(/\r\n?/g, '\n');
  const [said] = BROKEN_OFF.flatMap((pattern) => pattern.exec(tail)?.[0] ?? []);
  if (said === undefined) return;
  const shown = foreignText(said.replaceAll(/<[^<>]{0,200}>/g, ''), LONGEST_SHOWN);
  const message = `${name} is not whole: it ends with an error of the program that wrote it (“${shown}”). Ask the supplier to export it again.`;
  throw refusal('list-cut', message, { file: name });
}
