import type { Detection, TablePart } from '../../../model.ts';
import { hashKey } from '../../../parts/part-hash.ts';
import { singleByteCharset } from '../../../validate/fast/chunk/bytes.ts';
import type { ScannedRow } from '../../../validate/scan/scan-rows.ts';
import { sourceOfText } from '../../../validate/scan/scan-text.ts';
import type { ByteRow } from './byte-row.ts';
import { openByteOutput, type ByteOutput, type Limit } from './byte-output.ts';
import { readByteRows } from './byte-rows.ts';
import { EXAMPLES, sheetPlace, type JoinWork, type Partner } from './index-partner.ts';
import { joinedRows } from './kernel/joined-rows.ts';
import { setHeaderBytes } from './kernel/plain-rows.ts';
import { cellText, createRowKeys, type KeyPlaces } from './row-keys.ts';
import { cellDialect, writtenIn } from './written-cells.ts';

/** A list whose rows get the values of partners. */
export type JoinedList = { name: string; path: string; detection: Detection; parts: TablePart[]; places: KeyPlaces };

const LF = 10;
const CR = 13;

/**
 * Writes a list once more, in UTF-8: the cells of its partners stand behind those of each row, empty where a partner lacks the part, and
 * everything else stays as it is, line by line. Rows with another number of cells than the list has columns stay wrong. Counts, in the
 * accounts of the partners, what became of the rows; returns the bytes, and how many rows with a number no partner has. Throws what `limit` says
 * when they are too many.
 */
export async function writeJoined(
  list: JoinedList,
  partners: Partner[],
  target: string,
  { limit, ...work }: JoinWork & { limit: Limit },
): Promise<{ bytes: number; withoutAny: number }> {
  const { name, path, detection, parts } = list;
  const { header, headerLine, columns, charset } = detection;
  const width = header ? columns.length : detection.width;
  const least = header ? columns.findLastIndex((name) => name.trim() !== '') + 1 : width;
  const keys = createRowKeys({ ...detection, places: list.places, settings: work.settings });
  const cells = cellDialect(sourceOfText({ path, detection, settings: work.settings }).dialect);
  const delimiter = Buffer.from(cells.delimiter);
  const names = partners.map(({ account }) =>
    Buffer.from(account.columns.map((name) => cells.delimiter + writtenIn(cells, name, 'blanks')).join('')),
  );
  const empties = partners.map(({ account }) => Buffer.from(cells.delimiter.repeat(account.columns.length)));
  const pair = { high: 0, low: 0 };
  let headerBytes: Buffer | null = null;
  let withoutAny = 0;
  await using output = await openByteOutput(target, limit);
  const own = ownBytes(output, charset);

  const addAll = (these: Buffer[]) => {
    for (const bytes of these) output.copy(bytes, 0, bytes.length);
  };

  /** The cells that each partner has for any of the keys of a row. */
  const addPartners = (found: string[] | null, isKeyed: boolean, line: number, row: ByteRow | readonly string[]) => {
    let hasAny = false;
    for (let at = 0; at < partners.length; at += 1) {
      const { index, cells: store, account } = partners[at]!;
      const slot = !isKeyed ? -1 : found === null ? index.find(pair) : firstOf(found, partners[at]!);
      if (slot !== -1) {
        index.mark(slot);
        hasAny = true;
        account.joined += 1;
        output.reserve(store.longest);
        output.length = store.copy(index.valueAt(slot), output.bytes, output.length);
        continue;
      }
      output.copy(empties[at]!, 0, empties[at]!.length);
      if (!isKeyed) continue;
      account.withoutPartner += 1;
      const { withoutPartner } = account.examples;
      if (withoutPartner.length < EXAMPLES)
        withoutPartner.push({
          ...sheetPlace(parts, line),
          part: keys.nameOf('bytes' in row ? keys.cellsOf(row) : row),
        });
    }
    if (isKeyed && !hasAny) withoutAny += 1;
  };

  const firstOf = (found: string[], { index }: Partner): number => {
    let first = -1;
    for (const key of found) {
      hashKey(key, pair);
      const slot = index.find(pair);
      if (slot === -1) continue;
      // Each number of the row has its partner, of which the first counts.
      index.mark(slot);
      if (first === -1) first = slot;
    }
    return first;
  };

  const addRow = (row: ByteRow, line: number) => {
    const { bytes, start, end, next, count } = row;
    if (count < least || end === start) return own(bytes, start, next);
    const isHeader = header && line === headerLine;
    if (isHeader) {
      headerBytes = Buffer.from(bytes.subarray(start, end));
      setHeaderBytes(work.kernel, headerBytes);
    }
    const lastEnd = count > width ? endBefore(row, width, delimiter[0]!) : end;
    own(bytes, start, lastEnd);
    for (let at = count; at < width; at += 1) output.copy(delimiter, 0, delimiter.length);
    if (headerBytes !== null && isSame(headerBytes, row)) addAll(names);
    else {
      const found = keys.ofBytes(row, pair);
      const slow = found === 'slow' ? keys.ofCells(keys.cellsOf(row)) : null;
      const isKeyed = found === 'hashed' || (slow !== null && slow.length > 0);
      addPartners(slow, isKeyed, line, row);
    }
    // What is in no column stays in none.
    if (count > width && hasMore(row, width, charset)) own(bytes, lastEnd, end);
    own(bytes, end, next);
  };

  const addScanned = ({ cells: its, line, problem }: ScannedRow, bytes: Buffer) => {
    if (problem !== null || its.length < least) return own(bytes, 0, bytes.length);
    const end = withoutLineEnd(bytes);
    if (its.length <= width) {
      own(bytes, 0, end);
      for (let at = its.length; at < width; at += 1) output.copy(delimiter, 0, delimiter.length);
    } else
      output.text(
        its
          .slice(0, width)
          .map((cell) => writtenIn(cells, cell, 'kept'))
          .join(cells.delimiter),
      );
    if (header && line === headerLine) addAll(names);
    else {
      const found = keys.ofCells(its);
      addPartners(found, found.length > 0, line, its);
    }
    const more = its.slice(width);
    if (more.some((cell) => cell.trim() !== ''))
      output.text(more.map((cell) => cells.delimiter + writtenIn(cells, cell, 'kept')).join(''));
    own(bytes, end, bytes.length);
  };

  await readByteRows(
    { name, path, written: detection, settings: work.settings, reading: work.reading },
    {
      plain: joinedRows(work.kernel, {
        detection,
        keys: keys.plain,
        width,
        partners: partners.map(({ index, cells, account }, at) => ({ index, cells, account, empties: empties[at]! })),
        most: EXAMPLES,
        write: output.copy,
        countWithoutAny: (rows) => (withoutAny += rows),
      }),
      row: addRow,
      scanned: addScanned,
      lines: (bytes) => own(bytes, 0, bytes.length),
      pause: async () => {
        await output.flush();
        return true;
      },
    },
    work.signal,
  );
  await output.flush(true);
  return { bytes: output.written, withoutAny };
}

/** Where the delimiter is before a cell. */
function endBefore({ places, bytes }: ByteRow, cell: number, delimiter: number): number {
  const before = places[2 * cell]! - 1;
  return bytes[before] === delimiter ? before : before - 1;
}

function isSame(header: Buffer, { bytes, start, end }: ByteRow): boolean {
  if (end - start !== header.length) return false;
  for (let at = 0; at < header.length; at += 1) if (bytes[start + at] !== header[at]) return false;
  return true;
}

/** Whether a row has content behind its columns. */
function hasMore(row: ByteRow, width: number, charset: string): boolean {
  for (let at = width; at < row.count; at += 1) if (cellText(row, at, charset).trim() !== '') return true;
  return false;
}

function withoutLineEnd(bytes: Buffer): number {
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === LF) end -= 1;
  if (end > 0 && bytes[end - 1] === CR) end -= 1;
  return end;
}

/** Copies bytes of a file into the output, which is in UTF-8. */
function ownBytes(output: ByteOutput, charset: string): (bytes: Buffer, from: number, to: number) => void {
  const characters = charset === 'utf-8' ? null : singleByteCharset(charset);
  if (characters === null) return output.copy;
  const encoded = characters.map((character) => Buffer.from(character));
  return (bytes, from, to) => {
    output.reserve(3 * (to - from));
    const { bytes: target } = output;
    let at = output.length;
    for (let place = from; place < to; place += 1) {
      const byte = bytes[place]!;
      if (byte < 0x80) {
        target[at] = byte;
        at += 1;
        continue;
      }
      const its = encoded[byte]!;
      for (let index = 0; index < its.length; index += 1) target[at + index] = its[index]!;
      at += its.length;
    }
    output.length = at;
  };
}
