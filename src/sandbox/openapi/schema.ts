/** A piece of the document. */
export type Json = Record<string, unknown>;

const INT64 = { type: 'integer', format: 'int64' };
export const TEXT = { type: 'string' };
export const FLAG = { type: 'boolean' };
export const WHOLE = { type: 'integer' };
export const TIME = { ...INT64, description: 'Unix time in milliseconds' };
export const ID = INT64;

export function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

export function list(items: Json): Json {
  return { type: 'array', items };
}

/** An object whose fields are required unless their names end in `?`; further fields may come. */
export function record(fields: Record<string, Json>): Json {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
  };
}
