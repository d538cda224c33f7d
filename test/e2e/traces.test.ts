import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { serve } from '../support/http-server.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  links?: { traceId: string; spanId: string }[];
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
};

type Sent = { resourceSpans: { scopeSpans: { scope: { name: string }; spans: Span[] }[] }[] };

/** A receiver of OTLP over HTTP, and what it has received of offerline's own spans. */
async function otlpReceiver() {
  const spans: Span[] = [];
  const { url } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(chunks).toString()) as Sent;
      const scopes = sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
      spans.push(...scopes.filter(({ scope }) => scope.name === 'offerline').flatMap((one) => one.spans));
      response.end('{}');
    });
  });
  return { url, spans };
}

/** The packages that docs/traces.md installs. */
const PACKAGES: Record<string, string> = {
  '@opentelemetry/exporter-trace-otlp-http': import.meta.resolve('@opentelemetry/exporter-trace-otlp-http'),
  '@opentelemetry/resources': import.meta.resolve('@opentelemetry/resources'),
  '@opentelemetry/sdk-trace-node': import.meta.resolve('@opentelemetry/sdk-trace-node'),
};

/** The SDK as docs/traces.md attaches it, from the packages of the tests. */
function sdk(url: string): NodeJS.ProcessEnv {
  const [, code = ''] = /```js\n(.+?)```/s.exec(readFileSync('docs/traces.md', 'utf8')) ?? [];
  const resolved = code.replaceAll(/from '(.+)'/g, (_, name: string) => `from '${PACKAGES[name]}'`);
  const file = join(tempFolder(), 'tracing.mjs');
  writeFileSync(file, resolved);
  return { NODE_OPTIONS: `--import ${file}`, OTEL_EXPORTER_OTLP_ENDPOINT: url };
}

const fact = (span: Span, key: string) => span.attributes.find((one) => one.key === key)?.value.stringValue;

test('a run is one trace: its stages, threads and source; the lane and its requests are linked to it', async () => {
  const otlp = await otlpReceiver();
  const asked: { path: string; traceparent: string | undefined }[] = [];
  const service = await sandboxForTest();
  const proxy = await serve((request, response) => {
    const { traceparent } = request.headers;
    asked.push({ path: request.url ?? '', traceparent: typeof traceparent === 'string' ? traceparent : undefined });
    void forward(service.url, request, response);
  });
  const shop = install({ service: { baseUrl: proxy.url } }, sdk(otlp.url));
  shop.deliver('north', 'a.csv', `brand;oem\n${Array.from({ length: 40 }, (_, at) => `BOSCH;0986${at}`).join('\n')}\n`);

  const { run, outcome } = await shop.ingest('north');
  expect(outcome).toBe('live');

  const root = await until(() => otlp.spans.find(({ name }) => name === 'run'));
  expect(root.parentSpanId ?? '').toBe('');
  expect([fact(root, 'offerline.run'), fact(root, 'offerline.outcome')]).toEqual([run, 'live']);
  const ofRun = otlp.spans.filter(({ traceId }) => traceId === root.traceId);
  const childrenOf = (parent: Span) => ofRun.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  const namesOf = (spans: Span[]) => [...new Set(spans.map(({ name }) => name))].sort();
  expect(namesOf(childrenOf(root))).toEqual(['pull', 'read', 'report']);
  const [pull, read] = ['pull', 'read'].map((name) => ofRun.find((span) => span.name === name)!);
  expect(namesOf(childrenOf(pull!))).toEqual(['source directory']);
  // The thread is another JavaScript world: what it does is a part of the same trace.
  expect(childrenOf(read!).length).toBeGreaterThan(0);
  expect(BigInt(root.endTimeUnixNano)).toBeGreaterThan(BigInt(read!.endTimeUnixNano));

  const uploads = otlp.spans.filter(({ name, links = [] }) => name === 'upload' && links.length > 0);
  expect(uploads[0]?.links).toMatchObject([{ traceId: root.traceId, spanId: root.spanId }]);
  const lane = otlp.spans.find(({ spanId }) => spanId === uploads[0]?.parentSpanId);
  expect(lane).toMatchObject({ name: 'lane', links: [{ traceId: root.traceId }] });
  const posted = otlp.spans.find(({ name }) => name === 'POST /us2/public/offer/process')!;
  expect(uploads.map(({ spanId }) => spanId)).toContain(posted.parentSpanId);
  const request = asked.find(({ path }) => path.startsWith('/us2/public/offer/process'));
  expect(request?.traceparent).toBe(`00-${posted.traceId}-${posted.spanId}-01`);
});

test('without an SDK nothing is traced, kept or sent', async () => {
  const service = await sandboxForTest();
  const seen: (string | undefined)[] = [];
  const proxy = await serve((request, response) => {
    seen.push(request.headers['traceparent'] as string | undefined);
    void forward(service.url, request, response);
  });
  const shop = install({ service: { baseUrl: proxy.url } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((header) => header !== undefined)).toEqual([]);
});

/** Passes a request on to the service, and its reply back. */
async function forward(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers;
  const body = request.method === 'GET' ? {} : { body: Buffer.concat(chunks) };
  const reply = await fetch(base + (request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...body,
  });
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
  response.end(Buffer.from(await reply.arrayBuffer()));
}
