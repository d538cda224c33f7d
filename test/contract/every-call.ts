import { text } from 'node:stream/consumers';
import type { Service, ServiceOptions } from '../../src/service/service.ts';
import { serve } from '../support/http-server.ts';
import { until } from '../support/until.ts';
import { contractWorld, portfolioFile } from './world.ts';

const VIN = '1Z9M25CA2EC152943';

export type Reply = { status: number; headers: Record<string, string>; body: string | Buffer };

/** The sandbox behind a server that can answer in its place, and a call of every function of the client. */
export async function everyCall() {
  const rows = [
    ['ACME', 'X-1', 'Thing', 'a,b'],
    ['', 'X-2', 'No brand'],
  ];
  const world = await contractWorld({
    seedOffers: portfolioFile(rows),
    indexTime: 0,
    settings: { firstOfferId: '1001' },
  });
  let said: Reply | null = null;
  let passed: Reply = { status: 0, headers: {}, body: '' };
  const { url } = await serve((request, response) => {
    void (async () => {
      const body = request.method === 'POST' ? await text(request) : null;
      const headers = { 'content-type': request.headers['content-type'] ?? 'text/plain' };
      if (said === null) {
        const reply = await fetch(`${world.url}${request.url}`, { method: request.method ?? 'GET', body, headers });
        const type = reply.headers.get('content-type') ?? 'text/plain';
        passed = { status: reply.status, headers: { 'content-type': type }, body: await reply.text() };
      }
      const answer = said ?? passed;
      if (answer.status === 0) response.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    })();
  });
  let now = 0;
  const clock = { now: () => now, wait: (ms: number) => Promise.resolve(void (now += ms)) };
  const client = (options: Partial<ServiceOptions>) => world.client({ baseUrl: url, clock, ...options });
  const [vehicle] = await world.client().catalog.findVehicle({ identString: VIN });
  const known = { catalog: vehicle!.catalog, ssd: vehicle!.ssd, vehicleId: vehicle!.vehicleId };
  const [{ id: autoInfoId } = { id: '' }] = (await world.client().vehicles.identify({ identString: VIN })).data;
  await world.client().vehicles.waitUntilIndexed({ autoInfoId });
  return {
    client,
    calls: (service: Service) => ({ ...groupA(service, autoInfoId, known), ...catalogCalls(service, known) }),
    catalogCalls: (service: Service) => catalogCalls(service, known),
    /** What the sandbox answers to a call, when an upload that an earlier call began has ended: it would refuse the next one. */
    truth: async (call: () => Promise<unknown>): Promise<Reply> => {
      await until(async () => ((await world.client().offers.list()).data.every(hasEnded) ? true : undefined));
      said = null;
      await call();
      return passed;
    },
    /** From now on everything is answered so. */
    answer: (reply: Reply) => void (said = reply),
  };
}

function hasEnded({ state }: { state: string }): boolean {
  return ['success', 'failed', 'aborted'].includes(state);
}

type Known = { catalog: string; ssd: string; vehicleId: string };
type Calls = Record<string, () => Promise<unknown>>;

function groupA({ search, offers, vehicles }: Service, autoInfoId: string, known: Known): Calls {
  const offerId = '1001';
  return {
    search: () => search.search({ query: 'thing' }),
    'search.each': () => all(search.search.each({ query: 'thing' })),
    advancedSearch: () => search.advancedSearch({ searchBy: 'OFFER' }),
    'advancedSearch.each': () => all(search.advancedSearch.each({ searchBy: 'OFFER' })),
    searchByOems: () => search.searchByOems({ autoInfoId, oems: ['X-1'] }),
    countByTags: () => search.countByTags({ autoInfoId }),
    countByTagsExt: () => search.countByTagsExt(),
    source: async () => text(await offers.source({ offerId })),
    get: () => offers.get({ offerId }),
    list: () => offers.list(),
    'list.each': () => all(offers.list.each()),
    listTags: () => offers.listTags({ offerId }),
    errors: async () => text(await offers.errors({ offerId })),
    process: () => offers.process({ name: 'a.txt', content: Buffer.from('brand\toem\nA\t1\n') }),
    identify: () => vehicles.identify({ identString: VIN }),
    identifyBySsd: () => vehicles.identifyBySsd(known),
    listAutoInfo: () => vehicles.listAutoInfo(),
    'listAutoInfo.each': () => all(vehicles.listAutoInfo.each()),
    indexVehicle: () => vehicles.indexVehicle({ autoInfoId }),
    waitUntilIndexed: () => vehicles.waitUntilIndexed({ autoInfoId }, { deadline: 3000 }),
    findByIdentString: () => vehicles.findByIdentString({ identString: VIN }),
  };
}

function catalogCalls({ catalog }: Service, known: Known): Calls {
  const fields = { model: 'Mesa', year: '2014', engine: '' };
  return {
    getCatalogInfo: () => catalog.getCatalogInfo({ catalog: known.catalog }),
    findVehicle: () => catalog.findVehicle({ identString: VIN, localized: true }),
    findVehicleByPlateNumber: () => catalog.findVehicleByPlateNumber({ countryCode: 'ru', plateNumber: 'А123ВС77' }),
    getVehicleInfo: () => catalog.getVehicleInfo({ ...known, localized: false }),
    execCustomOperation: () =>
      catalog.execCustomOperation({ catalog: known.catalog, operation: 'wizard', fields, localized: true }),
    listUnits: () => catalog.listUnits(known),
    listDetailByUnit: () =>
      catalog.listDetailByUnit({ catalog: known.catalog, ssd: known.ssd, unitId: 'CLD1101', withLinks: true }),
    listQuickGroup: () => catalog.listQuickGroup(known),
    listQuickDetail: () => catalog.listQuickDetail({ ...known, quickGroupId: 111, all: true }),
  };
}

async function all(elements: AsyncIterable<unknown>): Promise<unknown[]> {
  const taken: unknown[] = [];
  for await (const element of elements) taken.push(element);
  return taken;
}
