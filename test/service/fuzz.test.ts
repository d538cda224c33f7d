import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OfferlineError } from '../../src/errors.ts';
import { createService } from '../../src/service/service.ts';
import { serve } from '../support/http-server.ts';
import { REPLIES, writeJson } from './catalog/both-forms.ts';
import { repetitions } from '../support/repetitions.ts';

type Call = (parameters: unknown) => Promise<unknown>;

const VEHICLE = { catalog: 'N1', ssd: 's', vehicleId: '1', localized: true };
const CALLS: [string, string, object][] = [
  ['search', 'search', { query: 'x' }],
  ['search', 'searchByOems', { autoInfoId: 1, oems: ['a'] }],
  ['search', 'countByTagsExt', {}],
  ['offers', 'get', { offerId: 1 }],
  ['offers', 'list', {}],
  ['vehicles', 'listAutoInfo', {}],
  ['vehicles', 'indexVehicle', { autoInfoId: 1 }],
  ['catalog', 'getCatalogInfo', { catalog: 'N1' }],
  ['catalog', 'findVehicle', { identString: 'x' }],
  ['catalog', 'getVehicleInfo', VEHICLE],
  ['catalog', 'listQuickGroup', { catalog: 'N1', ssd: 's', vehicleId: '1' }],
  ['catalog', 'listQuickDetail', { ...VEHICLE, quickGroupId: 1 }],
];

/** Any reply, valid or not, that a client of each form may meet. */
async function meet(catalogForm: 'rest' | 'command') {
  let body = Buffer.alloc(0);
  const { url } = await serve((request, response) => {
    request.resume();
    response.end(body);
  });
  const service = createService({ baseUrl: url, catalogForm, retries: 0 }) as unknown as Record<
    string,
    Record<string, Call>
  >;
  return async (reply: string | Uint8Array) => {
    body = Buffer.from(reply);
    for (const [group, name, parameters] of CALLS) {
      const ended = await service[group]![name]!(parameters).catch((error: unknown) => error);
      if (ended instanceof Error && !(ended instanceof OfferlineError)) return ended;
      if (ended instanceof OfferlineError && (ended.code !== 'service-reply' || ended.message.length > 1000))
        return ended;
    }
    return 'a value or a named error';
  };
}

const FIELDS = [
  'data',
  'id',
  'detailId',
  'oem',
  'brand',
  'details',
  'state',
  'attributes',
  'units',
  'children',
  'quickGroupId',
  '__proto__',
  'features',
];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', 'x', '9007199254740993', '\0'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('any'), { maxKeys: 5 }),
  ),
})).any;

describe('no reply crashes the client: there is a value or a named error', () => {
  test('JSON of any shape', async () => {
    const ask = await meet('rest');
    await fc.assert(
      fc.asyncProperty(value, async (reply) => {
        expect(await ask(JSON.stringify(reply))).toBe('a value or a named error');
      }),
      { numRuns: repetitions(60) },
    );
  });

  test.each(['rest', 'command'] as const)(
    'documented replies of the form %s with bytes changed, lost or doubled',
    async (form) => {
      const ask = await meet(form);
      const documented = Object.values(REPLIES).map(({ json, xml }) => (form === 'rest' ? writeJson(json) : xml));
      const damage = fc.record({
        reply: fc.constantFrom(...documented),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(20),
        put: fc.uint8Array({ maxLength: 10 }),
      });
      await fc.assert(
        fc.asyncProperty(damage, async ({ reply, at, length, put }) => {
          const bytes = Buffer.from(reply);
          const from = Math.floor(at * bytes.length);
          const damaged = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + length)]);
          expect(await ask(damaged)).toBe('a value or a named error');
        }),
        { numRuns: repetitions(60) },
      );
    },
  );

  test.each(['rest', 'command'] as const)('replies of the form %s that are cut, deep or long', async (form) => {
    const ask = await meet(form);
    const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
    const replies = [
      '{"data":[',
      deep('[', ']'),
      deep('{"children":[', ']}'),
      deep('<row>', '</row>'),
      `<FindVehicle>${'<row vehicleid="1"/>'.repeat(2000)}</FindVehicle>`,
      `{"data":[${'{"id":1},'.repeat(2000)}{}]}`,
      `"${'x'.repeat(1_000_000)}"`,
      Buffer.from([0xff, 0xfe, 0x00]),
    ];
    for (const reply of replies) expect(await ask(reply)).toBe('a value or a named error');
  });
});
