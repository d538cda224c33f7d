import { appendWithin, fitCells } from '../fit-row.ts';
import { RowCells } from '../row-cells.ts';
import type { TableInput, TableRow } from '../table-file.ts';
import type { Columns, Field } from './columns.ts';
import type { RecordEvents, RecordPath } from './events.ts';

/** The records met so far: their number, and rows that nobody has taken yet. */
export type RecordReader = RecordEvents & {
  records: () => number;
  /** Whether something was a record that could not repeat. */
  alone: () => boolean;
  take: () => TableRow[];
};

type Open = { field: Field; text: string };

/**
 * Makes rows of the elements at a path: attributes, texts and nested texts under their columns, what repeats joined by commas.
 * The first record has line 2: line 1 is the header.
 */
export function recordReader(path: RecordPath, columns: Columns, input: TableInput): RecordReader {
  const { limits } = input;
  const row = new RowCells();
  const open: Open[] = [];
  let rows: TableRow[] = [];
  /** The texts of the record by their columns. */
  let texts = new Map<number, string>();
  let records = 0;
  let depth = 0;
  let matched = 0;
  let single = false;

  function put(field: Field, text: string): void {
    if (!/\S/.test(text)) return;
    const at = columns.columnOf(field);
    if (at === null) return;
    const before = texts.get(at);
    texts.set(at, before === undefined ? text : appendWithin(before, `,${text}`, limits.cellLength));
  }

  function endRecord(): void {
    records++;
    if (texts.size === 0) return;
    for (const [column, text] of texts) row.put(column, text);
    rows.push({ line: records + 1, ...fitCells(row.take(), limits) });
    texts = new Map();
  }

  return {
    enter: (name, how) => {
      const around = open.at(-1);
      if (around !== undefined) {
        open.push({ field: columns.below(around.field, name, how === 'named'), text: '' });
        return;
      }
      const step = path[matched];
      if (depth++ === matched && (step === '*' || step === name)) matched++;
      if (matched < path.length || depth > matched) return;
      single ||= how === 'alone';
      open.push({ field: columns.record, text: '' });
    },
    attribute: (name, value) => {
      const at = open.at(-1);
      if (at !== undefined) put(columns.below(at.field, `@${name}`), appendWithin('', value, limits.cellLength));
    },
    text: (piece) => {
      const at = open.at(-1);
      if (at !== undefined) at.text = appendWithin(at.text, piece, limits.cellLength);
    },
    leave: () => {
      const left = open.pop();
      if (left !== undefined) put(left.field, left.text);
      if (open.length > 0) return;
      if (left !== undefined) endRecord();
      depth--;
      matched = Math.min(matched, depth);
    },
    records: () => records,
    alone: () => single,
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}
