import { refusalsOf, type RefusalCode } from './refusals.ts';
import { list, record, TEXT, type Json } from './schema.ts';

/** A parameter in the query or a header, with an example that this sandbox accepts. */
export type Described = {
  name: string;
  in: 'query' | 'header';
  required: boolean;
  description: string;
  schema: Json;
  example: unknown;
};

/** What this data folder accepts and answers. */
export type Examples = {
  /** The first upload of a new sandbox, and the first vehicle that is identified. */
  offerId: unknown;
  autoInfoId: number;
  ident: string;
  catalog: string;
  vehicleId: string;
  ssd: string;
  /** What each operation answers, by its id. */
  answers: Record<string, Answers>;
};

/** Replies of one operation: the good one, and the text of each refusal by its code. */
export type Answers = { reply: unknown; refusals: Record<string, string> };

/** One operation at one path. */
export type DescribedOperation = { method: 'get' | 'post'; path: string; operation: Json };

/** A good reply: JSON of a schema, or a file to save. */
export type GoodReply = { json: Json } | { download: string };

type About = { id: string; tag: string; summary: string; description?: string };

type Shape = { parameters: Described[]; body?: Json; reply: GoodReply; refusals?: RefusalCode[] };

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

/** The envelope of group A. */
export function enveloped(data: Json, more: Record<string, Json> = {}): GoodReply {
  return { json: record({ data, requestId: { ...TEXT, format: 'uuid' }, ...more }) };
}

/** The envelope around a list. */
export function envelopedList(items: Json, more: Record<string, Json> = {}): GoodReply {
  return enveloped(list(items), more);
}

/** An operation with its good reply and every refusal that it knows, each with what the sandbox answers. */
export function describe(
  [method, path]: [DescribedOperation['method'], string],
  { id, tag, summary, description }: About,
  { parameters, body, reply, refusals = [] }: Shape,
  { answers }: Examples,
): DescribedOperation {
  // The second spelling of a path has the answers of the first.
  const answer = answers[id.replace(/2$/, '')];
  const operation = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters,
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { '200': goodResponse(reply, answer?.reply), ...refusalsOf(refusals, answer?.refusals) },
  };
  return { method, path, operation };
}

function goodResponse(reply: GoodReply, example: unknown): Json {
  const shown = example === undefined ? {} : { example };
  if ('json' in reply) {
    return { description: 'What was asked for.', content: { 'application/json': { schema: reply.json, ...shown } } };
  }
  return {
    description: reply.download,
    headers: {
      'Content-Disposition': {
        description: 'The name to save it by, also for names beyond ASCII (RFC 6266).',
        required: true,
        schema: TEXT,
      },
    },
    content: { 'text/plain': { schema: TEXT, ...shown } },
  };
}
