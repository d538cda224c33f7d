import type { OfferConfig } from '../config/schema/schema.ts';
import type { AnyFile } from '../archive/kept-file.ts';
import { lineBatches } from '../archive/lines.ts';

/** The settings that shape the uploaded file. */
export type OfferLayout = Pick<OfferConfig, 'layout' | 'delimiter' | 'charset'>;

const BYTE_ORDER_MARK = '\uFEFF';

/** The header of the uploaded file: the column keys. */
export function encodeOfferHeader(keys: string[], offer: OfferLayout): string {
  return encodeOfferRow(keys, offer);
}

/**
 * One row of the uploaded file with its line end. `txt` has tabs between cells and no quotes, so its cells must hold
 * neither tabs nor line breaks; `csv` quotes where RFC 4180 asks for it.
 */
export function encodeOfferRow(cells: string[], offer: OfferLayout): string {
  if (offer.layout === 'txt') return `${cells.join('\t')}\n`;
  const quoted = cells.map((cell) => (needsQuotes(cell, offer.delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(offer.delimiter)}\n`;
}

/** Text of the uploaded file as bytes: UTF-8 without a byte order mark, or UTF-16 LE with one before the `first` text. */
export function encodeOfferText(text: string, offer: OfferLayout, first: boolean): Buffer {
  if (offer.charset === 'UTF-8') return Buffer.from(text, 'utf8');
  return Buffer.from(first ? BYTE_ORDER_MARK + text : text, 'utf16le');
}

/** The list column whose values the service calls tags, if there is one. */
export function tagKey(offer: Pick<OfferConfig, 'columns'>): string | null {
  return Object.entries(offer.columns).find(([, column]) => column.list)?.[0] ?? null;
}

/** The file that is uploaded, from a file of validated rows (`<line>\t<cell>…`) whose cells are in the order of `keys`. */
export async function* offerFile(rowsPath: AnyFile, keys: string[], offer: OfferLayout): AsyncGenerator<Buffer> {
  yield encodeOfferText(encodeOfferHeader(keys, offer), offer, true);
  for await (const lines of lineBatches(rowsPath)) {
    const rows = lines.map((line) => encodeOfferRow(line.split('\t').slice(1), offer));
    yield encodeOfferText(rows.join(''), offer, false);
  }
}

function needsQuotes(cell: string, delimiter: string): boolean {
  return cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r');
}
