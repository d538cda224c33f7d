import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { buffer } from 'node:stream/consumers';
import { exampleCall, operationsOf, readDocument, send, withParameter } from '../../../scripts/openapi/calls.ts';
import { OPERATIONS } from '../../../src/sandbox/faults/schema.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';
import { schemaChecker } from './schemas.ts';

// Ids that a double can hold: the standard tools of this test read JSON into doubles.
const { url, port } = await sandboxForTest({ settings: { firstOfferId: '1001' }, indexTime: 0 });
const document = await readDocument(url);
const operations = operationsOf(document);
const problemsOf = schemaChecker(document);

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));

  expect({ valid, errors }).toMatchObject({ valid: true });
});

test('it describes every operation of the interface', () => {
  const described = new Set(operations.map(({ operation }) => operation.operationId.replace(/2$/, '')));

  expect([...described].toSorted()).toEqual([...OPERATIONS].toSorted());
});

test('it names the address that it was read from', async () => {
  expect(document.servers.map((server) => server.url)).toEqual([`http://127.0.0.1:${port}`]);
  const other = await readDocument(`http://localhost:${port}`);
  expect(other.servers[0]!.url).toBe(`http://localhost:${port}`);
});

describe('every parameter that the sandbox accepts is described', () => {
  test.each(operations.filter(({ operation }) => operation.operationId !== 'command'))(
    '$method $path',
    async ({ operation, ...place }) => {
      const described = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const reply = await send(url, withParameter(exampleCall({ ...place, operation }), 'colour', 'red'));

      const { error } = (await reply.json()) as { error: { message: string } };
      const known = /known are (.*)\.$/.exec(error.message)?.[1]?.split(', ');
      // The fields of a custom operation have any name.
      const isOpen = error.message === 'The parameter colour is not a field of this operation.';
      expect(isOpen ? operation.operationId : known?.toSorted()).toEqual(
        isOpen ? 'execCustomOperation' : described.toSorted(),
      );
    },
  );
});

describe('what is required is required', () => {
  const cases = operations.flatMap(({ method, path, operation }) =>
    operation.parameters.filter(({ required }) => required).map(({ name }) => ({ method, path, operation, name })),
  );
  test.each(cases)('$method $path without $name', async ({ name, ...described }) => {
    const call = exampleCall(described);
    const reply = await send(url, { ...call, query: call.query.filter(([other]) => other !== name) });

    expect(reply.status).toBe(400);
    expect(((await reply.json()) as { error: { message: string } }).error.message).toContain(name);
  });
});

describe('every example fits its schema', () => {
  test.each(operations)('$method $path', ({ operation }) => {
    const contents = [
      operation.requestBody?.content ?? {},
      ...Object.values(operation.responses).map((r) => r.content),
    ];
    const examples = contents.flatMap((content) =>
      Object.values(content).flatMap(({ schema, example, examples = {} }) =>
        [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].map(
          (value) => ({ schema, value }),
        ),
      ),
    );

    for (const { schema, example } of operation.parameters) expect(problemsOf(schema, example)).toEqual([]);
    for (const { schema, value } of examples) expect(problemsOf(schema, value)).toEqual([]);
    const [shown] = Object.values(operation.responses['200']!.content);
    expect(shown!.example ?? Object.keys(shown!.examples ?? {})).not.toEqual([]);
    expect(examples.length).toBeGreaterThan(2);
  });
});

test('a file is taken in each form that is described', async () => {
  const process = operations.find(({ operation }) => operation.operationId === 'process')!;
  const { content } = process.operation.requestBody!;
  const csv = String(content['text/csv']!.example);
  const form = new FormData();
  const { offersFile, ...fields } = content['multipart/form-data']!.example as Record<string, string>;
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('offersFile', new Blob([offersFile!]), 'offers.csv');
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(csv), 'offers.csv');
  zip.end();
  const bodies: Record<string, string | FormData | Uint8Array<ArrayBuffer>> = {
    'text/csv': csv,
    'text/plain': String(content['text/plain']!.example),
    'application/zip': new Uint8Array(await buffer(zip.outputStream)),
    'multipart/form-data': form,
  };

  expect(Object.keys(bodies)).toEqual(Object.keys(content));
  for (const [type, body] of Object.entries(bodies)) {
    const headers: Record<string, string> = { authorization: `Bearer ${type}` };
    const typed = type.startsWith('multipart/') ? headers : { ...headers, 'content-type': type };
    const reply = await send(url, { ...exampleCall(process), query: [], headers: typed, body });
    expect(reply.status).toBe(200);
    const { id } = (await reply.json()) as { id: number };
    const ended = await until(async () => {
      const record = await fetch(`${url}/us2/public/offer/get?offerId=${id}`, { headers });
      const { state, linesProcessed } = (await record.json()) as { state: string; linesProcessed: number };
      return ['success', 'failed'].includes(state) ? { type, state, linesProcessed } : undefined;
    });
    expect(ended).toEqual({ type, state: 'success', linesProcessed: 2 });
  }
});

test('the settings change what is described', async () => {
  const { url } = await sandboxForTest({
    settings: {
      logins: [{ auth: { type: 'header', name: 'X-Shop', value: 'secret-value' } }],
      fileField: 'file',
      processReply: 'data',
      catalog: { commandPath: '/service' },
    },
  });
  const changed = await readDocument(url);
  const upload = changed.paths['/us2/public/offer/process']!['post']!;
  const { schema, example } = upload.responses['200']!.content['application/json']!;

  expect(changed.security).toEqual([{ 'header-X-Shop': [] }]);
  expect(JSON.stringify(changed)).not.toContain('secret-value');
  expect(upload.requestBody!.content['multipart/form-data']!.schema['required']).toEqual(['file']);
  expect(schemaChecker(changed)(schema, example)).toEqual([]);
  expect(example).toHaveProperty('data.id');
  expect(changed.paths['/service']).toBeDefined();
});
