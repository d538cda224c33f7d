import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { foreignName, foreignText } from '../../wording/foreign-text.ts';
import { serviceTable } from '../tables/service-table.ts';

/** One row of a `.errors` file: what the service says of it, and our columns as it repeats them. */
export type ErrorRow = {
  code: string | null;
  message: string;
  /** Our columns by key; a column that the file lacks is absent. */
  cells: Record<string, string>;
  /** The columns before ours as they are. */
  leading: string[];
  /** The number of the rejection in the file, from 1. */
  ordinal: number;
};

/** What the header of a `.errors` file says: the places of our columns, of the code and of the message. */
type Layout = { ours: Map<string, number>; leading: number; code: number | null; messages: number[] };

/** A code is a word or a number. */
const MAX_CODE = 100;
const CODE = /code|код/i;
const LINE = /^(row|line|строка|zeile|.*(line|row)(number|no)?)$/i;

/**
 * The rows of a `.errors` file. The leading columns that are not ours describe the error; which they are is not
 * documented, so they are distinguished by the names of our columns, and the code and the service's line number from the
 * message by their names. One describing column is the message; several messages are joined. Throws `service-reply` for a
 * file that is no table or repeats none of our columns.
 */
export async function* readErrorsFile(path: string, columnKeys: string[]): AsyncGenerator<ErrorRow> {
  let layout: Layout | undefined;
  let ordinal = 0;
  for await (const record of serviceTable(path)) {
    if (layout === undefined) layout = layoutOf(record, columnKeys);
    else yield toErrorRow(record, layout, (ordinal += 1));
  }
}

function layoutOf(header: string[], columnKeys: string[]): Layout {
  const names = header.map((name) => fold(name));
  // Ours come last: a describing column may bear the name of one of them.
  const found = columnKeys.map((key) => [key, names.lastIndexOf(fold(key))] as const).filter(([, at]) => at >= 0);
  if (found.length === 0) {
    const shown = header.slice(0, 20).join(', ').slice(0, 200);
    throw new OfferlineError('service-reply', `The .errors file has none of our columns in its header: ${shown}.`);
  }
  const leading = header.slice(0, Math.min(...found.map(([, at]) => at))).map((_name, at) => at);
  const code = leading.length > 1 ? leading.find((at) => CODE.test(header[at] ?? '')) : undefined;
  const line =
    leading.length > 1 ? leading.find((at) => at !== code && LINE.test(header[at]?.trim() ?? '')) : undefined;
  const messages = leading.filter((at) => at !== code && at !== line);
  const fallback = code ?? line;
  return {
    ours: new Map(found),
    leading: leading.length,
    code: code ?? null,
    messages: messages.length > 0 || fallback === undefined ? messages : [fallback],
  };
}

function toErrorRow(record: string[], { ours, leading, code, messages }: Layout, ordinal: number): ErrorRow {
  const message = messages.map((at) => record[at] ?? '').filter((text) => text !== '');
  return {
    code: code === null ? null : foreignName(record[code] ?? '', MAX_CODE),
    message: foreignText(message.join('; ')),
    cells: dictionary([...ours].map(([key, at]) => [key, record[at] ?? ''])),
    leading: record.slice(0, leading),
    ordinal,
  };
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}
