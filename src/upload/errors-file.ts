import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { OfferlineError } from '../errors.ts';

/** One row of a `.errors` file: what the service says of it, and our columns as it repeats them. */
export type ErrorRow = {
  code: string | null;
  message: string;
  /** Our columns by key; a column that the file lacks is absent. */
  cells: Record<string, string>;
};

/** What the header of a `.errors` file tells. */
type Layout = { ours: (string | null)[]; code: number | null; messages: number[] };

/** A row of the service that is longer than this is not one. */
const MAX_ROW_BYTES = 1_000_000;

/**
 * The rows of a `.errors` file (text, UTF-8 or UTF-16 with BOM). The leading columns that are not ours describe the
 * error; which they are is not documented, so they are told apart by the names of our columns, and the code from the
 * message by its name. One describing column is the message; several that are not the code are joined.
 */
export async function* readErrorsFile(path: string, columnKeys: string[]): AsyncGenerator<ErrorRow> {
  const parser = createReadStream(path).pipe(
    parse({
      delimiter: await delimiterOf(path),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_BYTES,
    }),
  );
  let layout: Layout | undefined;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (layout === undefined) layout = layoutOf(record, columnKeys);
      else yield toErrorRow(record, layout);
    }
  } catch (error) {
    throw new OfferlineError('service-reply', "The service's .errors file cannot be read as a table.", {
      cause: error,
    });
  }
}

async function delimiterOf(path: string): Promise<string> {
  const first = await firstLine(path);
  const counted = ['\t', ';', ','].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return counted.sort((a, b) => b.count - a.count)[0]?.delimiter ?? '\t';
}

async function firstLine(path: string): Promise<string> {
  let text = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 64 * 1024 })) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

function layoutOf(header: string[], columnKeys: string[]): Layout {
  const keys = new Map(columnKeys.map((key) => [fold(key), key]));
  const ours = header.map((name) => keys.get(fold(name)) ?? null);
  const firstOfOurs = ours.findIndex((key) => key !== null);
  const leading = header.slice(0, firstOfOurs === -1 ? header.length : firstOfOurs).map((_name, at) => at);
  const code = leading.length > 1 ? leading.find((at) => /code|код/i.test(header[at] ?? '')) : undefined;
  const lineNumber = leading.find((at) => /^(row|line|строка|zeile|.*(line|row)(number|no)?)$/i.test(header[at] ?? ''));
  const messages = leading.filter((at) => at !== code && (leading.length < 3 || at !== lineNumber));
  return { ours, code: code ?? null, messages };
}

function toErrorRow(record: string[], layout: Layout): ErrorRow {
  const cells: Record<string, string> = {};
  for (const [at, key] of layout.ours.entries()) {
    if (key !== null) cells[key] = record[at] ?? '';
  }
  const message = layout.messages.map((at) => record[at] ?? '').filter((text) => text !== '');
  return { code: layout.code === null ? null : (record[layout.code] ?? null), message: message.join('; '), cells };
}

function fold(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}
