type Json = Record<string, unknown>;

/** A parameter in the query, with an example that this sandbox accepts. */
export type Described = {
  name: string;
  in: 'query';
  required: boolean;
  description: string;
  schema: Json;
  example: unknown;
};

/** Values of the examples, which this sandbox accepts in the order of the document. */
export type Examples = {
  /** The first upload of a new sandbox, and the first vehicle that is identified. */
  offerId: unknown;
  autoInfoId: number;
  ident: string;
  catalog: string;
  vehicleId: string;
  ssd: string;
};

/** One operation at one path. */
export type DescribedOperation = { method: 'get' | 'post'; path: string; operation: Json };

const INT64 = { type: 'integer', format: 'int64' };
export const TEXT = { type: 'string' };
export const FLAG = { type: 'boolean' };
export const WHOLE = { type: 'integer' };
export const TIME = { ...INT64, description: 'Unix time in milliseconds' };
export const ID = INT64;

/** A parameter that a call must have. */
export function needed(name: string, description: string, example: unknown, schema: Json = TEXT): Described {
  return { name, in: 'query', required: true, description, schema, example };
}

/** A parameter that a call may leave out; a default belongs into its schema. */
export function free(name: string, description: string, example: unknown, schema: Json = TEXT): Described {
  return { ...needed(name, description, example, schema), required: false };
}

export const PAGE = free('page', 'Page, counted from 0.', 0, {
  type: 'integer',
  format: 'int32',
  minimum: 0,
  default: 0,
});
export const SIZE = free('size', 'Elements on a page.', 20, {
  type: 'integer',
  format: 'int32',
  minimum: 1,
  default: 20,
});
export const LOCALE = free('locale', 'Language and country of names.', 'en_US', {
  type: 'string',
  pattern: '^[a-z]{2}_[A-Z]{2}$',
  default: 'en_US',
});

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

/** The envelope of group A. */
export function enveloped(data: Json, more: Record<string, Json> = {}): Json {
  return record({ data, requestId: { type: 'string', format: 'uuid' }, ...more });
}

/** An operation that answers with JSON, or with `text` when it is a download. */
export function describe(
  [method, path]: [DescribedOperation['method'], string],
  { id, tag, summary }: { id: string; tag: string; summary: string },
  { parameters, body, reply }: { parameters: Described[]; body?: Json; reply: Json | 'text' },
): DescribedOperation {
  const content = reply === 'text' ? { 'text/plain': { schema: TEXT } } : { 'application/json': { schema: reply } };
  const operation = {
    operationId: id,
    tags: [tag],
    summary,
    parameters,
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      '200': { description: 'What was asked for.', content },
      default: { description: 'A refusal.', content: { 'application/json': { schema: ref('Refusal') } } },
    },
  };
  return { method, path, operation };
}
