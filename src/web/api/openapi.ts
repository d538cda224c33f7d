import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { payloadSchema, TOLD, type Told } from '../../notify/hooks/payload.ts';
import { VERSION } from '../../version.ts';
import { BASE, type ApiOperation } from './operation.ts';

type Json = Record<string, unknown>;

const REFUSAL = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'Stable; the codes of docs/reference/cli.md.' },
        message: { type: 'string', description: 'What, where, and what to do.' },
      },
    },
  },
};

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What, where, and what to do.' },
    code: { type: 'string', description: 'Stable; the codes of docs/reference/cli.md.' },
  },
};

/** What a file is refused with besides; docs/push.md says when. */
const FILE_REFUSALS = [408, 413, 415, 422, 429, 507];

const REFUSALS: Record<string, string> = {
  400: 'What was given is wrong; the message names each mistake.',
  401: 'No token, or one that is not known, has ended or was revoked.',
  403: 'The role may not do this.',
  404: 'There is none, or none that the token sees.',
  409: 'It is not possible as things stand; somebody else may have been faster.',
  503: 'The ledger cannot be used just now; nothing was done.',
};

/** The OpenAPI document of the API, made from the table of its operations. `server`: where it is. */
export function openapiOf(operations: readonly ApiOperation[], server: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'offerline',
      version: VERSION,
      summary: 'What the console shows and decides, for programs.',
      description:
        'Answers have the shapes of the commands with `--json`. A token (`offerline token add`) goes into `Authorization: Bearer`. Ids are strings. More fields may be added at any time.',
    },
    servers: [{ url: `${server}${BASE}` }],
    security: [{ token: [] }],
    tags: [...new Set([...operations.map(({ tag }) => tag), 'hooks'])].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...Map.groupBy(operations, ({ path }) => path)].map(([path, group]) => [
        path,
        Object.fromEntries(group.map((one) => [one.method.toLowerCase(), described(one)])),
      ]),
    ),
    webhooks: Object.fromEntries(
      Object.entries(TOLD).map(([event, summary]) => [event, { post: toldOf(event as Told, summary) }]),
    ),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: REFUSAL, Problem: PROBLEM },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [
          `Refused${status}`,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
        ]),
      ),
    },
  };
}

function described({ id, tag, summary, path, query, body, file, download, answer, asked, may }: ApiOperation): Json {
  const roles = may === 'everybody' ? [] : may;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: roles.length === 0 ? 'For everybody.' : `For the roles ${roles.join(', ')}.`,
    parameters: [...pathParameters(path), ...queryParameters(query), ...(file === true ? FILE_HEADERS : [])],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
    ...(file === true ? { requestBody: { required: true, content: { 'application/octet-stream': {} } } } : {}),
    responses:
      file === true
        ? fileResponses(answer)
        : responses(download === undefined ? done('Done.', answer) : sent(download), asked),
  };
}

/** What a hook of the configuration is sent; docs/hooks.md. */
function toldOf(event: Told, summary: string): Json {
  return {
    operationId: event,
    tags: ['hooks'],
    summary,
    description: 'Sent to the hooks of the configuration (hooks.NAME), signed as Standard Webhooks say.',
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(payloadSchema(event), 'output') } },
    },
    responses: {
      '2XX': { description: 'It was taken.' },
      410: { description: 'Nothing is to be sent any more.' },
      default: { description: 'It is sent again, under the same id, for a day.' },
    },
  };
}

const FILE_HEADERS: Json[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'What the sender calls this delivery: sent again with the same bytes, it is the same one.',
    schema: { type: 'string' },
  },
];

function responses(success: Json, asked?: z.ZodType): Json {
  return {
    200: success,
    ...(asked === undefined ? {} : { 202: done('Asked for: a second person has to agree.', asked) }),
    ...Object.fromEntries(
      Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
    ),
  };
}

function fileResponses(answer: z.ZodType): Json {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const statuses = [...Object.keys(REFUSALS).map(Number), ...FILE_REFUSALS];
  return {
    200: done('The same was delivered before.', answer),
    202: done('Archive and ledger have it, and a run takes it.', answer),
    ...Object.fromEntries(
      statuses.map((status) => [status, { description: REFUSALS[status] ?? STATUS_CODES[status], content }]),
    ),
  };
}

/** An answer that is a file. */
function sent(types: readonly string[]): Json {
  return { description: 'The file.', content: Object.fromEntries(types.map((type) => [type, {}])) };
}

function done(description: string, answer: z.ZodType): Json {
  return { description, content: { 'application/json': { schema: schemaOf(answer, 'output') } } };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject): Json[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema, undefined).success,
    schema: schemaOf(schema, 'input'),
  }));
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
