import {
  OperationNodeTransformer,
  type KyselyPlugin,
  type PrimitiveValueListNode,
  type UnknownRow,
  type ValueNode,
} from 'kysely';
import type { z } from 'zod';
import { messageOf, OfferlineError } from '../../errors.ts';
import { JSON_COLUMNS } from './json-columns.ts';

/** A JSON column of a table whose rows are known by a key. */
type JsonColumn = { table: string; key: string; schema: z.ZodType };

const COLUMNS = columnsByName();
const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode']);

/**
 * Lets queries give and take the values of JSON columns instead of their text. A value that cannot be read fails with
 * `ledger` and names its table, column and row.
 */
export function jsonColumns(): KyselyPlugin {
  const encoder = new JsonEncoder();
  return {
    // Only what writes rows carries values; going through every other query would cost each of them.
    transformQuery: ({ node, queryId }) => (WRITES.has(node.kind) ? encoder.transformNode(node, queryId) : node),
    transformResult: ({ result }) => Promise.resolve({ ...result, rows: result.rows.map(decodeRow) }),
  };
}

/** Writes parameters as JSON that are neither text, number, bytes nor null: only JSON columns take those. */
class JsonEncoder extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: encode(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(encode) };
  }
}

function encode(value: unknown): unknown {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isJson ? JSON.stringify(value) : value;
}

/** Decodes a value when it is asked for: one that cannot be read costs only what needs it, and lists cost nothing. */
function decodeRow(row: UnknownRow): UnknownRow {
  for (const name of Object.keys(row)) {
    const text = row[name];
    const columns = typeof text === 'string' ? COLUMNS.get(name) : undefined;
    if (columns === undefined) continue;
    const keep = (value: unknown) =>
      Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
    let known: { value: unknown } | undefined;
    const get = () => (known ??= { value: decode(name, text as string, row, columns) }).value;
    Object.defineProperty(row, name, { get, set: keep, enumerable: true, configurable: true });
  }
  return row;
}

function decode(name: string, text: string, row: UnknownRow, columns: JsonColumn[]): unknown {
  const column = columns.find(({ key }) => key in row) ?? columns[0];
  try {
    const value: unknown = JSON.parse(text);
    return withDefaults(value, column?.schema.parse(value));
  } catch (error) {
    const id = row[column?.key ?? ''];
    const where = `${column?.table}.${name} of row ${typeof id === 'string' ? id : '(id not selected)'}`;
    const why = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 300);
    const advice = 'Restore the ledger from a backup; `offerline verify` checks the rest.';
    throw new OfferlineError(
      'ledger',
      `The ledger cannot be read: ${where} does not hold what belongs there: ${why}. ${advice}`,
      {
        cause: error,
      },
    );
  }
}

/** The value as it was written, whose keys may be any names, with what its schema adds to values of earlier versions. */
function withDefaults(value: unknown, checked: unknown): unknown {
  if (!isRecord(value) || !isRecord(checked)) return value;
  for (const name of Object.keys(checked)) if (!Object.hasOwn(value, name)) value[name] = checked[name];
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function columnsByName(): Map<string, JsonColumn[]> {
  const all = Object.entries(JSON_COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).map(([name, schema]) => ({ name, table, key: table === 'feeds' ? 'feed' : 'id', schema })),
  );
  return Map.groupBy(all, ({ name }) => name);
}
