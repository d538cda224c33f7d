import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { messageOf, OfferlineError } from '../../errors.ts';
import { decodeBytes, decodeText } from '../../io/text-decode.ts';

type Layout = { charset: string; bom: boolean; delimiter: string };

/** A row of the service that is longer than this many characters is not one. */
const MAX_ROW = 1_000_000;

/**
 * The records of a table that the service gives us (`.errors`, `.offer`), its header first: UTF-8 or UTF-16, delimited by
 * tab, semicolon or comma, quoted or not. Throws `service-reply` for what is no table, such as an error page.
 */
export async function* serviceTable(path: string): AsyncGenerator<string[]> {
  const layout = await tableLayout(path);
  try {
    yield* layout.delimiter === '\t' ? tabbed(path, layout) : delimited(path, layout);
  } catch (error) {
    if (error instanceof OfferlineError || !isCsvError(error)) throw error;
    throw noTable(messageOf(error), error);
  }
}

/** A cell without the quotes around it, if there are any. */
export function unquoted(cell: string): string {
  if (!cell.startsWith('"')) return cell;
  return /^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

/** Tab-delimited text is read line by line: our cells hold no line break, and a lone quote in one must not swallow rows. */
async function* tabbed(path: string, { charset, bom }: Layout): AsyncGenerator<string[]> {
  let rest = '';
  for await (const piece of decodeText(path, charset, bom)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW) throw noTable(`a line is longer than ${MAX_ROW} characters`);
    for (const line of lines) yield* cellsOf(line);
  }
  yield* cellsOf(rest);
}

function* cellsOf(line: string): Generator<string[]> {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text !== '') yield text.split('\t').map((cell) => unquoted(cell));
}

function delimited(path: string, { charset, bom, delimiter }: Layout): AsyncIterable<string[]> {
  const relaxed = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  const parser = parse({ delimiter, ...relaxed, max_record_size: MAX_ROW });
  // An error of the input also ends the reader of the parser.
  return pipeline(decodeText(path, charset, bom), parser, () => {});
}

/** The first bytes show the charset, the delimiter, and whether this is a table at all. */
export async function tableLayout(path: string): Promise<Layout> {
  const head = await headOf(path);
  const little = head[0] === 0xff && head[1] === 0xfe;
  const big = head[0] === 0xfe && head[1] === 0xff;
  const bom = little || big || (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf);
  const charset = little || head[1] === 0 ? 'utf-16le' : big || head[0] === 0 ? 'utf-16be' : 'utf-8';
  const text = decodeBytes(head, charset).replace('\uFEFF', '').trimStart();
  if (text === '') throw noTable('it is empty');
  if (/^[<{[]/.test(text)) throw noTable(`it begins with ${JSON.stringify(text.slice(0, 40))}`);
  const [first = ''] = text.split('\n', 1);
  const counted = ['\t', ';', ','].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return { charset, bom, delimiter: counted.sort((a, b) => b.count - a.count)[0]?.delimiter ?? '\t' };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isCsvError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}

function noTable(why: string, cause?: unknown): OfferlineError {
  const message = `The file that the service returned cannot be read as a table: ${why}.`;
  return new OfferlineError('service-reply', message, { cause });
}
