import { readFile } from 'node:fs/promises';
import type { AnyFile } from '../../archive/kept-file.ts';
import { byteLines } from '../../archive/lines.ts';
import { count, type Meter } from '../../gauge.ts';
import type { ChangeCounts } from '../../model.ts';
import { createPartSet, type PartTable } from '../../parts/part-set.ts';
import { openByteWriter, type ByteWriter } from '../byte-writer.ts';
import { createOrderer, createPartReader } from '../part-reader.ts';

/** The rows of a feed before a delivery of changes, with the keys of their cells; null where there were none. */
export type Base = { path: AnyFile; columns: string[] } | null;

/**
 * What is put upon what. `changes`: a file with the rows of a delivery of changes in its order, `<line>\t<cell>…\t<mark>`, of which those with the
 * mark `-` take their parts away. `lines`: how many lines the delivery has; those of the base are counted from there on.
 */
export type PutInput = {
  base: Base;
  changes: string;
  keys: string[];
  lines: number;
  /** The lines at which the tables of the base begin, counted so, rising. */
  starts: number[];
  /** Where the result goes, in the format of accepted rows. */
  path: string;
  /** A cell of the delivery may hold several numbers, each of which has a row of its own. */
  hasSeveral?: boolean | undefined;
  /** Counts the rows of the base. */
  meter?: Meter | undefined;
};

/**
 * Rows that set their parts and do not count because later ones have these parts: their lines, rising, and those of the last ones; where a cell
 * may hold several numbers also which of them each is about.
 */
export type RepeatedRows = { lines: Uint32Array; last: Uint32Array; numbers: string[] | null };

/** What resulted: how many rows of the changes are in it, which do not count, and which tables of the base still have rows in it. */
export type Put = { set: number; counts: ChangeCounts; used: boolean[]; repeated: RepeatedRows };

const [TAB, LINE_FEED, DASH] = [0x09, 0x0a, 0x2d];
const END = Buffer.from([LINE_FEED]);
/** How the base has the part of a row of changes. */
const [ABSENT, OTHERWISE, SAME] = [0, 1, 2];

/**
 * Puts the rows of a delivery of changes upon the rows before it: of several rows of a part the last one counts; parts that it does not
 * name stay as they were. The result has the rows of the changes first, then the others, in the order of both. The base streams; only the
 * changes stay in memory. Throws `disk-full`, and `archive` when the base is damaged.
 */
export async function putChanges(input: PutInput): Promise<Put> {
  const { base, changes, keys, lines, starts, path, hasSeveral = false, meter } = input;
  const last = lastRows(await readFile(changes), keys, hasSeveral);
  await using writer = await openByteWriter(path);
  const set = await writeChanged(last, writer);
  const counts: ChangeCounts = { base: 0, carried: 0, added: 0, changed: 0, same: 0, removed: 0, absent: 0 };
  const used = starts.map(() => false);
  if (base !== null) await carryOver(base, last, { keys, lines, starts, counts, used, writer, meter });
  for (const [at, found] of last.found.entries()) {
    const fate = last.removes(at)
      ? found === ABSENT
        ? 'absent'
        : 'removed'
      : found === ABSENT
        ? 'added'
        : found === SAME
          ? 'same'
          : 'changed';
    counts[fate] += 1;
  }
  return { set, counts, used, repeated: last.repeated };
}

/** The row that counts for each part of a delivery of changes, in its order. */
type LastRows = {
  bytes: Buffer;
  starts: number[];
  /** The number of the row of a part, from 1. */
  table: PartTable;
  /** How the base has the part of each. */
  found: Uint8Array;
  repeated: RepeatedRows;
  removes: (at: number) => boolean;
  /** Where the cells of a row end, before its mark. */
  cellsEnd: (at: number) => number;
};

function lastRows(bytes: Buffer, keys: string[], hasSeveral: boolean): LastRows {
  const all: number[] = [];
  for (let at = 0; at < bytes.length; at = bytes.indexOf(LINE_FEED, at) + 1) all.push(at);
  const readPart = createPartReader(keys);
  const hash = { high: 0, low: 0 };
  const table = createPartSet(all.length);
  const starts: number[] = [];
  const repeated: { line: number; last: number; number: string }[] = [];
  const lineAt = (start: number) => Number(bytes.toString('latin1', start, bytes.indexOf(TAB, start)));
  const oemAt = 1 + keys.indexOf('oem');
  const numberAt = (start: number, end: number) => bytes.toString('utf8', start, end - 1).split('\t')[oemAt] ?? '';
  for (let number = all.length; number > 0; number -= 1) {
    const start = all[number - 1]!;
    const end = readPart(bytes, start, hash);
    const later = table.firstLineOf(hash, starts.length + 1);
    if (later === undefined) starts.push(start);
    else if (bytes[end - 2] !== DASH) {
      const number = hasSeveral ? numberAt(start, end) : '';
      repeated.push({ line: lineAt(start), last: lineAt(starts[later - 1]!), number });
    }
  }
  const endOf = (at: number) => bytes.indexOf(LINE_FEED, starts[at]);
  return {
    bytes,
    starts,
    table,
    found: new Uint8Array(starts.length),
    repeated: {
      lines: Uint32Array.from(repeated, ({ line }) => line).reverse(),
      last: Uint32Array.from(repeated, ({ last }) => last).reverse(),
      numbers: hasSeveral ? repeated.map(({ number }) => number).reverse() : null,
    },
    removes: (at) => bytes[endOf(at) - 1] === DASH,
    cellsEnd: (at) => bytes.lastIndexOf(TAB, endOf(at)),
  };
}

/** Writes the rows that set parts, in the order of the delivery; they were found from its end on. */
async function writeChanged({ bytes, starts, removes, cellsEnd }: LastRows, writer: ByteWriter): Promise<number> {
  let set = 0;
  for (let at = starts.length - 1; at >= 0; at -= 1) {
    if (removes(at)) continue;
    set += 1;
    writer.add(bytes, starts[at]!, cellsEnd(at));
    writer.add(END, 0, END.length);
    if (set % FLUSHED === 0) await writer.flush();
  }
  await writer.flush();
  return set;
}

const FLUSHED = 10_000;

type Carrying = Pick<PutInput, 'keys' | 'lines' | 'starts' | 'meter'> &
  Pick<Put, 'counts' | 'used'> & { writer: ByteWriter };

/** Writes the rows of the base whose parts the changes do not name, and notes how it has the others. */
async function carryOver(base: NonNullable<Base>, last: LastRows, carrying: Carrying): Promise<void> {
  const { keys, lines, starts, counts, used, writer, meter } = carrying;
  let table = 0;
  const readPart = createPartReader(keys);
  const inOrder = createOrderer(base.columns, keys);
  const hash = { high: 0, low: 0 };
  for await (const piece of byteLines(base.path)) {
    const { bytes, from, to } = inOrder(piece);
    const before = counts.base;
    for (let at = from; at < to;) {
      const end = readPart(bytes, at, hash);
      const cells = bytes.indexOf(TAB, at);
      const number = last.table.lineOf(hash);
      counts.base += 1;
      if (number === undefined) {
        counts.carried += 1;
        const line = Number(bytes.toString('latin1', at, cells)) + lines;
        while (table + 1 < starts.length && starts[table + 1]! <= line) table += 1;
        used[table] = true;
        const written = Buffer.from(String(line));
        writer.add(written, 0, written.length);
        writer.add(bytes, cells, end);
      } else {
        const start = last.bytes.indexOf(TAB, last.starts[number - 1]);
        const isSame = bytes.compare(last.bytes, start, last.cellsEnd(number - 1), cells, end - 1) === 0;
        last.found[number - 1] = isSame ? SAME : OTHERWISE;
      }
      at = end;
    }
    count(meter, counts.base - before);
    await writer.flush();
  }
}
