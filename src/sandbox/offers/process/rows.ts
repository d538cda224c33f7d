import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { Refusal } from '../../http/reply.ts';
import { splitRows } from './split-rows.ts';

/** A text with its charset; the byte order mark is not part of it. */
export type DecodedText = { charset: 'UTF-8' | 'UTF-16'; text: AsyncGenerator<string> };

/** Decodes the bytes by the asked charset, else by the byte order mark, else as UTF-8. UTF-16 without a mark is little endian. */
export async function decodeText(bytes: Readable, asked: 'UTF-8' | 'UTF-16' | null): Promise<DecodedText> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < 3) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const bigEndian = head[0] === 0xfe && head[1] === 0xff;
  const marked = bigEndian || (head[0] === 0xff && head[1] === 0xfe);
  const charset = asked ?? (marked ? 'UTF-16' : 'UTF-8');
  const encoding = charset === 'UTF-8' ? 'utf-8' : bigEndian ? 'utf-16be' : 'utf-16le';
  return { charset, text: decodeChunks(head, chunks, new TextDecoder(encoding, { fatal: true })) };
}

async function* decodeChunks(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  decoder: TextDecoder,
): AsyncGenerator<string> {
  try {
    yield decoder.decode(head, { stream: true });
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      yield decoder.decode(next.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Who has read enough leaves no file open.
    await chunks.return?.();
  }
}

/** How a text is split into rows. */
type RowFormat = { kind: 'txt' | 'csv'; delimiter: string; rowLength: number };

/** The rows of a text in batches: quotes mean something in CSV only. Cell counts are for the row rules to judge. */
export function rowsOf(text: AsyncIterable<string>, format: RowFormat): AsyncGenerator<string[][]> {
  return format.kind === 'csv' ? quotedRows(text, format) : splitRows(text, format.delimiter, format.rowLength);
}

async function* quotedRows(
  text: AsyncIterable<string>,
  { delimiter, rowLength }: RowFormat,
): AsyncGenerator<string[][]> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: rowLength,
  });
  for await (const cells of Readable.from(text).compose(parser) as AsyncIterable<string[]>) yield [cells];
}

/** Counts the physical lines that a record takes. */
export function linesOf(cells: readonly string[]): number {
  let lines = 1;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) lines += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return lines;
}

/** The error text of an upload whose file cannot be read to its end; undefined for a fault of the sandbox itself. */
export function failureText(error: unknown, line: number): string | undefined {
  if (error instanceof Refusal) return error.message;
  if (error instanceof CsvError) return `The text after line ${line} cannot be split into columns: ${error.message}.`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return `The file is not valid text of its charset, somewhere after line ${line}.`;
  return undefined;
}
