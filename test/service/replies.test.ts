import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { replying, scripted } from './scripted.ts';

const VEHICLES = [{ catalog: 'AU1', vehicleId: 7, ssd: '$x=', name: 'A4' }];

test('what a reply has fits the next call, by its types as well', async () => {
  const { service, asked } = await scripted(({ path }: { path: string }) =>
    path === '/findVehicle' ? VEHICLES : { quickGroupId: '1', name: 'All', link: false, children: [] },
  );
  for (const { catalog, vehicleId, ssd } of await service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' })) {
    await service.catalog.listQuickGroup({ catalog, vehicleId, ssd });
  }
  expect(Object.fromEntries(asked[1]!.query)).toMatchObject({ catalog: 'AU1', vehicleId: '7', ssd: '$x=' });
});

test('a vehicle without server data has none, and the next call says so before it is sent', async () => {
  const { service, asked } = await scripted([{ catalog: 'AU1', vehicleId: '7' }]);
  const [vehicle] = await service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' });
  const { catalog, vehicleId, ssd } = vehicle!;
  await expect(service.catalog.listQuickGroup({ catalog, vehicleId, ssd })).rejects.toThrow(
    'ssd: expected a text that is not empty',
  );
  expect(asked).toHaveLength(1);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a reply that a proxy compressed is read (%s)', async (encoding, compress) => {
  const body = compress(JSON.stringify(VEHICLES));
  const { service } = await scripted(replying(200, body, { 'content-encoding': encoding }));
  expect(await service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' })).toHaveLength(1);
});

test('a compressed reply that is damaged is named', async () => {
  const { service } = await scripted(replying(200, 'no gzip', { 'content-encoding': 'gzip' }), { retries: 0 });
  await expect(service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' })).rejects.toMatchObject({
    code: 'service-unreachable',
    message: expect.stringContaining('incorrect header check') as string,
  });
});

test('where a refused redirect leads is named, without credentials', async () => {
  const location = 'https://shop:hush-hush@new.example/findVehicle?token=hush-hush';
  const { service } = await scripted(replying(308, '', { location }));
  await expect(service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' })).rejects.toMatchObject({
    message: expect.stringMatching(
      /redirects to https:\/\/new\.example\/findVehicle.*which is not followed/u,
    ) as string,
  });
  await expect(service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' })).rejects.not.toThrow('hush-hush');
});

test('.each() says whether it had all, or ended at the limit of the service', async () => {
  const told: object[] = [];
  const log = { debug: () => undefined, warn: (fields: object) => void told.push(fields) };
  const part = (detailId: number) => ({ detailId, oem: 'X', brand: 'ACME' });
  const page = ({ query }: { query: URLSearchParams }) => {
    const first = Number(query.get('page')) * 2500;
    return { data: Array.from({ length: 2500 }, (_, at) => part(first + at)) };
  };
  const { service } = await scripted(page, { log });
  const elements = service.search.search.each({ query: 'x', size: 2500 });
  let count = 0;
  let last = await elements.next();
  for (; last.done !== true; last = await elements.next()) count += 1;
  expect([count, last.value]).toEqual([10_000, 'limit']);
  expect(told).toEqual([{ operation: 'search', limit: 10_000 }]);
});
