import { describe, expect, test } from 'vitest';
import { readErrorBody } from '../../../src/service/http/error-body.ts';
import { createService, type OfferlineError } from '../../../src/service/service.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { replying, scripted } from '../scripted.ts';

const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error as OfferlineError);

test.each<[string, string | null, string | null]>([
  ['{"error":{"code":"BUSY","message":"Later, please."},"requestId":"7"}', 'BUSY', 'Later, please.'],
  ['{"errorCode":"E17","errorMessage":"No such offer"}', 'E17', 'No such offer'],
  ['{"errors":[{"code":"A","message":"first"},{"code":"B"}]}', 'A', 'first'],
  ['{"error":"invalid_token","error_description":"It has expired"}', 'invalid_token', 'It has expired'],
  ['{"timestamp":1,"status":409,"error":"Conflict","message":"An upload runs"}', null, 'An upload runs'],
  ['{"type":"https://a.example/b","title":"Not accepted","detail":"No brand","code":422}', '422', 'No brand'],
  ['{"error":"out of order"}', null, 'out of order'],
  [
    '<error code="UNKNOWN_CATALOG" requestid="7">There is no such catalog.</error>',
    'UNKNOWN_CATALOG',
    'There is no such catalog.',
  ],
  ['<?xml version="1.0"?><Error><Code>Denied</Code><Message>a &lt; b</Message></Error>', 'Denied', 'a < b'],
  [
    '<s:Envelope xmlns:s="urn:s"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>down</faultstring></s:Fault></s:Body></s:Envelope>',
    's:Server',
    'down',
  ],
  ['<html><body><h1>error</h1></body></html>', null, null],
  ['<!doctype html><error code="X">page</error>', null, null],
  ['<error code="X"', null, null],
  ['{"error":{"code":"BUSY"', null, null],
  ['[1]', null, null],
  ['{"__proto__":{"code":"A","message":"b"},"constructor":"c"}', null, null],
  ['null', null, null],
  ['', null, null],
  [`{"code":"${'x'.repeat(101)}","message":""}`, null, null],
  ['{"code":{"a":1},"message":["b"]}', null, null],
])('%s', async (body, code, message) => {
  expect(await readErrorBody(body)).toMatchObject({ code, message });
});

describe('the error of a refused call', () => {
  test('has the code, status and request of the sandbox as fields, in both forms of the catalog', async () => {
    const { url } = await sandboxForTest();
    for (const catalogForm of ['rest', 'command'] as const) {
      const { catalog } = createService({ baseUrl: url, catalogForm });
      const error = await failureOf(catalog.getCatalogInfo({ catalog: 'NONE' }));
      expect(error).toMatchObject({ code: 'service-refused', status: 404, serviceCode: 'CATALOG_NOT_FOUND' });
      expect(error).toMatchObject({ requestId: expect.stringMatching(/^[\da-f-]{36}$/u) as string });
      expect((error as OfferlineError).message).toMatch(
        /answered 404 \(not found\): There is no .*\(CATALOG_NOT_FOUND\)/u,
      );
    }
  });

  test('has the code of an upload that is refused', async () => {
    const { url } = await sandboxForTest({ pace: { queued: 60_000, processing: 60_000 } });
    const { offers } = createService({ baseUrl: url });
    const file = { name: 'a.txt', content: Buffer.from('brand\toem\nBOSCH\t1\n') };
    await offers.process(file);
    expect(await failureOf(offers.process(file))).toMatchObject({ status: 409, serviceCode: 'UPLOAD_UNFINISHED' });
  });

  test('has null where the service says nothing', async () => {
    const silent = await scripted(replying(502, '<html>bad gateway</html>'), { retries: 0 });
    const said = await failureOf(silent.service.offers.list());
    expect(said).toMatchObject({ status: 502, serviceCode: null, requestId: null });
    const gone = await scripted(replying(0, ''), { retries: 0 });
    const error = await failureOf(gone.service.offers.list());
    expect(error).toMatchObject({ status: null, serviceCode: null, requestId: null });
  });

  test('reads XML in the charset that it names', async () => {
    const body = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><error code="NO">'),
      Buffer.from([0xcd, 0xe5, 0xf2]),
      Buffer.from('</error>'),
    ]);
    const { service } = await scripted(replying(400, body, { 'content-type': 'text/xml' }));
    const error = await failureOf(service.catalog.findVehicle({ identString: 'X' }));
    expect(error).toMatchObject({ serviceCode: 'NO', details: { text: expect.stringContaining('Нет') as string } });
    expect((error as OfferlineError).message).toContain(': Нет (NO)');
  });

  test('shows no credential that a code or a sentence repeats', async () => {
    const auth = { type: 'bearer', token: 'S3cret!' } as const;
    for (const body of ['{"code":"S3cret!","message":"S3cret! is wrong"}', '<error code="S3cret!">S3cret!</error>']) {
      const { service } = await scripted(replying(400, body), { auth });
      const error = await failureOf(service.offers.list());
      expect(JSON.stringify([(error as OfferlineError).message, error])).not.toContain('S3cret!');
      expect(error).toMatchObject({ serviceCode: '[secret]' });
    }
  });
});
