import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/sandbox/faults/schema.ts';
import { until } from '../support/until.ts';
import { sandboxForTest } from '../support/sandbox.ts';

type Json = Record<string, unknown>;
type Parameter = { name: string; required: boolean; schema: Json; example: unknown };
type Content = Record<string, { schema: Json; example?: unknown }>;
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Json } };

// Ids that a double can hold: the standard tools of this test read JSON into doubles.
const { url } = await sandboxForTest({ settings: { firstOfferId: '1001' }, indexTime: 0 });
const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));

  expect({ valid, errors }).toMatchObject({ valid: true });
});

test('it describes every operation of the interface', () => {
  const described = new Set(operations.map(({ operation }) => operation.operationId.replace(/2$/, '')));
  const served = OPERATIONS.filter((name) => name !== 'command');

  expect([...described].toSorted()).toEqual([...served].toSorted());
});

describe('its examples work in the order of the document', () => {
  for (const { method, path, operation } of operations) {
    test(`${method.toUpperCase()} ${path}`, async () => {
      const reply = await call(method, path, operation, operation.parameters);
      const expected = operation.responses['200']!.content;

      expect(reply.status).toBe(200);
      expect(Object.keys(expected)).toContain(reply.headers.get('content-type')!.split(';', 1)[0]);
      const { schema } = Object.values(expected)[0]!;
      expect(problemsOf(schema, schema['type'] === 'string' ? await reply.text() : await reply.json())).toEqual([]);
      if (operation.operationId === 'process') await finished();
    });
  }
});

describe('what is required is required', () => {
  const cases = operations.flatMap(({ method, path, operation }) =>
    operation.parameters.filter(({ required }) => required).map(({ name }) => ({ method, path, operation, name })),
  );
  test.each(cases)('$method $path without $name', async ({ method, path, operation, name }) => {
    const reply = await call(
      method,
      path,
      operation,
      operation.parameters.filter((parameter) => parameter.name !== name),
    );

    expect(reply.status).toBe(400);
    const refusal = (await reply.json()) as { error: { message: string } };
    expect(problemsOf({ $ref: '#/components/schemas/Refusal' }, refusal)).toEqual([]);
    expect(refusal.error.message).toContain(name);
  });
});

async function call(method: string, path: string, { requestBody }: Operation, parameters: Parameter[]) {
  const query = new URLSearchParams();
  for (const { name, example } of parameters) {
    for (const value of Array.isArray(example) ? (example as unknown[]) : [example]) query.append(name, String(value));
  }
  const [type, content] =
    Object.entries(requestBody?.content ?? {}).find(([, { example }]) => example !== undefined) ?? [];
  const { example } = content ?? {};
  return fetch(`${url}${path}?${query.toString()}`, {
    method,
    ...(type === undefined ? {} : { headers: { 'content-type': type }, body: bodyOf(example) }),
  });
}

function bodyOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** What a reply has against its schema. */
function problemsOf(schema: Json, reply: unknown): unknown[] {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const defined = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Parameters<
    typeof z.fromJSONSchema
  >[0];
  const { error } = z.fromJSONSchema(defined).safeParse(reply);
  return error?.issues ?? [];
}

async function finished(): Promise<void> {
  await until(async () => {
    const { state } = (await (await fetch(`${url}/us2/public/offer/get?offerId=1001`)).json()) as { state: string };
    if (state === 'failed') throw new Error('The upload of the example failed.');
    return state === 'success' ? true : undefined;
  });
}
