import { describe, expect, test } from 'vitest';
import { hasFeature } from '../../../src/service/catalog/helpers.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { replying, scripted, type Asked } from '../scripted.ts';
import { REPLIES, writeJson } from './both-forms.ts';

type Name = keyof typeof REPLIES;

const VEHICLE = { catalog: 'AU1', ssd: 'x', vehicleId: '0' };
const PARAMETERS: Record<Name, Record<string, unknown>> = {
  getCatalogInfo: { catalog: 'AU1' },
  findVehicle: { identString: 'WAUZZZ8K9AA000001', localized: true, locale: 'de_DE' },
  findVehicleByPlateNumber: { countryCode: 'ru', plateNumber: 'A001AA77' },
  getVehicleInfo: { ...VEHICLE, localized: false },
  execCustomOperation: { catalog: 'AU1', operation: 'byMvs', fields: { mvs: '123' } },
  listUnits: { ...VEHICLE, categoryId: '5' },
  listDetailByUnit: { catalog: 'AU1', ssd: 'x', unitId: 'u1', withLinks: true },
  listQuickGroup: VEHICLE,
  listQuickDetail: { ...VEHICLE, quickGroupId: '9007199254740993', all: true },
};

/** A service that answers both forms as the document shows them. */
function both({ path, body }: Asked) {
  const isCommand = path === '/catalog';
  const name = isCommand ? body.slice(0, 1).toLowerCase() + body.slice(1, body.indexOf(':')) : path.split('/').at(-1);
  const reply = REPLIES[name as Name];
  return isCommand ? replying(200, reply.xml, { 'content-type': 'text/xml' }) : replying(200, writeJson(reply.json));
}

const COMMAND: Partial<ServiceOptions> = { catalogForm: 'command' };

/** What an operation answers, whichever it is. */
async function ask(name: Name, options: Partial<ServiceOptions> = {}) {
  const { service, asked } = await scripted(both, options);
  const call = service.catalog[name] as (parameters: unknown) => Promise<unknown>;
  return { reply: await call(PARAMETERS[name]), asked };
}

describe('both forms give the same', () => {
  test.each(Object.keys(REPLIES) as Name[])('%s', async (name) => {
    const rest = await ask(name);
    const command = await ask(name, COMMAND);
    expect(command.reply).toEqual(rest.reply);
    expect(rest.asked.at(-1)).toMatchObject({ method: 'POST', body: '' });
    expect(command.asked.at(-1)).toMatchObject({ method: 'POST', path: '/catalog' });
    expect(command.asked.at(-1)!.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
  });
});

describe('what is read', () => {
  test('catalog info has features and operations, flags or not', async () => {
    const { service } = await scripted(both, COMMAND);
    const info = await service.catalog.getCatalogInfo({ catalog: 'AU1' });
    expect([hasFeature(info, 'vinsearch'), hasFeature(info, 'detailapplicability')]).toEqual([true, false]);
    expect(info.operations[0]?.fields[0]).toEqual({
      name: 'mvs',
      pattern: '\\d{3}',
      description: 'Number',
      example: '123',
    });
  });

  test('attributes have names when they were asked for, and are listed in any case', async () => {
    const { service } = await scripted(both, COMMAND);
    const [named] = await service.catalog.findVehicle({ identString: 'W', localized: true });
    expect(named?.attributes).toEqual([{ key: 'engine', value: '2.0 < 3', name: 'Motor' }]);
    expect(named?.name).toBe('A4 "Avant" & more');
    const plain = await service.catalog.getVehicleInfo({ ...VEHICLE, localized: false });
    expect(plain.attributes).toEqual([
      { key: 'engine', value: '2.0' },
      { key: 'doors', value: '5' },
    ]);
  });

  test('quick groups are a tree with exact ids', async () => {
    const { service } = await scripted(both);
    const [brakes] = await service.catalog.listQuickGroup(VEHICLE);
    expect(brakes).toMatchObject({ quickGroupId: '1', link: false });
    expect(brakes?.children.map(({ quickGroupId }) => quickGroupId)).toEqual(['9007199254740993', '3']);
  });

  test.each([
    ['t', true],
    ['1', true],
    ['true', true],
    ['f', false],
  ])('match="%s" is %s; childrens and children are the same', async (match, expected) => {
    const detail = `<Detail name="P" oem="1" match="${match}"/>`;
    const xml = (field: string) =>
      `<ListQuickDetail><Category categoryid="5" ${field}="1"><Unit unitid="u">${detail}</Unit></Category></ListQuickDetail>`;
    for (const field of ['children', 'childrens']) {
      const { service } = await scripted(replying(200, xml(field)), COMMAND);
      const [category] = await service.catalog.listQuickDetail({ ...VEHICLE, quickGroupId: 1 });
      expect(category).toMatchObject({ children: true, units: [{ details: [{ match: expected }] }] });
    }
  });

  test('a tree of any depth is read in both forms, up to a limit that is said', async () => {
    const deep = (depth: number): string =>
      '{"name":"g","quickGroupId":1,"link":true,"children":['.repeat(depth) + ']}'.repeat(depth);
    const rows = (depth: number) =>
      '<row quickgroupid="1" name="g" link="true">'.repeat(depth) + '</row>'.repeat(depth);
    const json = (depth: number) => scripted(replying(200, `[${deep(depth)}]`), { retries: 0 });
    const xml = (depth: number) =>
      scripted(replying(200, `<ListQuickGroup>${rows(depth)}</ListQuickGroup>`), { ...COMMAND, retries: 0 });
    for (const form of [json, xml]) {
      expect(await (await form(200)).service.catalog.listQuickGroup(VEHICLE)).toHaveLength(1);
      await expect((await form(600)).service.catalog.listQuickGroup(VEHICLE)).rejects.toMatchObject({
        code: 'service-reply',
      });
    }
  });
});

describe('what is asked', () => {
  test('the REST form sends what was said as the query', async () => {
    const { asked } = await ask('listQuickDetail');
    expect(asked[0]!.path).toBe('/listQuickDetail');
    expect(Object.fromEntries(asked[0]!.query)).toEqual({ ...VEHICLE, quickGroupId: '9007199254740993', all: 'true' });
  });

  test('the catalog may live elsewhere, and the command form at its own path', async () => {
    const catalog = await scripted(() => replying(200, REPLIES.listQuickGroup.xml));
    const search = await scripted(() => {
      throw new Error('not here');
    });
    const { createService } = await import('../../../src/service/service.ts');
    const service = createService({
      baseUrl: search.url,
      catalogUrl: catalog.url,
      ...COMMAND,
      commandPath: '/ws/exec',
    });
    await service.catalog.listQuickGroup(VEHICLE);
    expect(catalog.asked.map(({ path }) => path)).toEqual(['/ws/exec']);
  });
});

describe('fields of a custom operation', () => {
  test('are sent under their own names, and the catalog is asked once what fits', async () => {
    const { service, asked } = await scripted(both);
    for (const mvs of ['123', '456']) {
      await service.catalog.execCustomOperation({ catalog: 'AU1', operation: 'byMvs', fields: { mvs } });
    }
    expect(asked.map(({ path }) => path)).toEqual([
      '/restApi/v1/getCatalogInfo',
      '/execCustomOperation',
      '/execCustomOperation',
    ]);
    expect(Object.fromEntries(asked[1]!.query)).toEqual({ catalog: 'AU1', operation: 'byMvs', mvs: '123' });
  });

  test.each([
    [
      { operation: 'byMvs', fields: { mvs: '12', mws: '1' } },
      [
        'fields.mvs: "12" does not fit \\d{3}, for example 123',
        'fields.mws: the operation has no such field; did you mean mvs?',
      ],
    ],
    [{ operation: 'byMsv', fields: {} }, ['operation: the catalog AU1 has no operation "byMsv"; did you mean byMvs?']],
    [{ operation: 'byMvs', fields: { mvs: '1'.repeat(300) } }, ['fields.mvs: the value has more than 256 characters']],
    [{ operation: 'byMvs', fields: { mvs: 5 } }, ['fields.mvs: expected a text, found 5']],
  ])('that do not fit are not sent: %j', async (parameters, problems) => {
    const { service, asked } = await scripted(both);
    const call = service.catalog.execCustomOperation({ catalog: 'AU1', ...parameters } as never);
    await expect(call).rejects.toMatchObject({ code: 'usage', details: { problems } });
    expect(asked.map(({ path }) => path)).not.toContain('/execCustomOperation');
  });

  test('a pattern that cannot be used lets the value through, and the log is told', async () => {
    const told: unknown[] = [];
    const log = { debug: () => undefined, warn: (fields: object) => void told.push(fields) };
    const broken = structuredClone<unknown>(REPLIES.getCatalogInfo.json) as {
      operations: { fields: { pattern: string }[] }[];
    };
    broken.operations[0]!.fields[0]!.pattern = '(a+';
    const { service } = await scripted(({ path }: Asked) => (path.includes('Info') ? broken : []), { log });
    const fields = { mvs: '123' };
    expect(await service.catalog.execCustomOperation({ catalog: 'AU1', operation: 'byMvs', fields })).toEqual([]);
    expect(told).toEqual([{ catalog: 'AU1', field: 'mvs', pattern: '(a+' }]);
  });

  test('the command form asks one catalog, and sends nothing without', async () => {
    const { service, asked } = await scripted(both, COMMAND);
    const call = service.catalog.execCustomOperation({ operation: 'byMvs', fields: { mvs: '123' } });
    await expect(call).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('catalog is missing') });
    expect(asked).toEqual([]);
  });

  test('a field that is named like a parameter is not mistaken for it', async () => {
    const { service } = await scripted(both);
    const call = service.catalog.execCustomOperation({ operation: 'o', fields: { catalog: 'x' } });
    await expect(call).rejects.toThrow('fields.catalog: execCustomOperation has a parameter of this name');
  });
});

describe('replies of the command form that are none', () => {
  test.each([
    [
      'another root',
      '<error>bad ssd S3cret</error>',
      'FindVehicle (POST /catalog) returned <error> instead of <FindVehicle>: <error>bad ssd [secret]</error>',
    ],
    ['JSON', '{"data":[]}', 'unusable XML'],
    ['a document type', '<!DOCTYPE a><FindVehicle/>', 'it declares a document type, which is never read'],
    ['a cut reply', '<FindVehicle><row', 'unusable XML'],
    [
      'a record without its id',
      '<FindVehicle><row brand="A"/></FindVehicle>',
      'unexpected value at [0].vehicleId: expected a text, received nothing',
    ],
  ])('%s', async (_name, body, message) => {
    const auth = { type: 'bearer', token: 'S3cret' } as const;
    const { service } = await scripted(replying(200, body), { ...COMMAND, auth, retries: 0 });
    const call = service.catalog.findVehicle({ identString: 'W' });
    await expect(call).rejects.toMatchObject({
      code: 'service-reply',
      message: expect.stringContaining(message) as string,
    });
  });

  test('more than 16 MB', async () => {
    const { service } = await scripted(
      replying(200, `<FindVehicle>${' '.repeat(17 * 1024 * 1024)}</FindVehicle>`),
      COMMAND,
    );
    await expect(service.catalog.findVehicle({ identString: 'W' })).rejects.toThrow('returned more than 16 MB');
  });
});
