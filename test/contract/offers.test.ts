import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { NewOffer } from '../../src/service/service.ts';
import { rawZip } from '../support/raw-zip.ts';
import { contractWorld } from './world.ts';

const START = 1_767_225_600_000;
const DAY = 86_400_000;
const clock = { time: START };
const pace = { queued: 100, processing: 1000 };
const reader = { type: 'bearer', token: 'reader' } as const;
const logins = ['main', 'rules', 'pages', 'old', 'tags', 'other', 'states'].map((token) => ({
  auth: { type: 'bearer', token } as const,
}));
const world = await contractWorld({
  now: () => clock.time,
  pace,
  settings: { logins: [...logins, { auth: reader, rights: [] }] },
});

/** The offers of a login of its own. */
const loginOf = (token: string) => world.client({ auth: { type: 'bearer', token } });
const { offers } = loginOf('main');

const GOOD = 'brand\toem\tname\ttags\nBOSCH\t0 986\tPads\tbrakes,front\nATE\t13.0460\tPads\tbrakes\n';
const COMMAS = 'brand,oem\nBOSCH,1\nATE,2\n';

type Offers = typeof offers;

const file = (name: string, content: string | Uint8Array, more: Partial<NewOffer> = {}): NewOffer =>
  ({ name, content: Buffer.from(content as string), ...more }) as NewOffer;

/** Lets the upload that is on its way come to its end; answers with its record. */
async function ended(of: Offers, id: string) {
  await world.settled();
  clock.time += 1100;
  return of.get({ offerId: id });
}

/** Uploads a file and lets it come to its end. */
async function uploaded(given: NewOffer, of: Offers = offers) {
  return ended(of, (await of.process(given)).id);
}

describe('POST /us2/public/offer/process', () => {
  test('requires the right MANAGE_OFFERS', () =>
    expect(world.client({ auth: reader }).offers.process(file('a.txt', GOOD))).rejects.toMatchObject({
      code: 'service-unauthorized',
      details: { status: 403 },
    }));

  test('offersFile: the file; the reply is the record', async () => {
    const record = await offers.process(file('a.txt', GOOD));
    expect(record).toMatchObject({
      id: expect.stringMatching(/^\d+$/) as string,
      state: 'queued',
      createdTime: clock.time,
      lastModifiedTime: clock.time,
      linesProcessed: 0,
      errorFileExists: false,
      sourceFile: 'a.txt',
    });
    expect(await ended(offers, record.id)).toMatchObject({ state: 'success', linesProcessed: 2 });
  });

  test.each([
    ['default, tab for txt', 'a.txt', GOOD, {}],
    ['default, comma for CSV', 'a.csv', COMMAS, {}],
    ['","', 'a.csv', COMMAS, { delimiter: ',' }],
    ['";"', 'a.csv', COMMAS.replaceAll(',', ';'), { delimiter: ';' }],
  ] as const)('delimiter: %s', async (_row, name, content, more) => {
    expect(await uploaded(file(name, content, more))).toMatchObject({ state: 'success', linesProcessed: 2 });
  });

  test.each([
    ['UTF-8', Buffer.from(GOOD), { charsetName: 'UTF-8' }, 'UTF-8'],
    ['UTF-16', Buffer.from(`\uFEFF${GOOD}`, 'utf16le'), { charsetName: 'UTF-16' }, 'UTF-16'],
    ['absent, from the file header', Buffer.from(`\uFEFF${GOOD}`, 'utf16le'), {}, 'UTF-16'],
    ['absent, else UTF-8', Buffer.from(GOOD), {}, 'UTF-8'],
  ] as const)('charsetName: %s', async (_row, content, more, charsetName) => {
    const record = await uploaded(file('a.txt', content, more));
    expect(record).toMatchObject({ state: 'success', linesProcessed: 2, charsetName });
  });

  test('rule 1: a zip archive with a text file is taken', async () => {
    const zip = rawZip([{ name: 'inner.txt', data: GOOD }]);
    const record = await uploaded(file('a.zip', zip));
    expect(record).toMatchObject({ state: 'success', linesProcessed: 2 });
    expect(await text(await offers.source({ offerId: record.id }))).toBe(GOOD);
  });

  test('rule 2: a position has at most 20 tags', async () => {
    const tags = (many: number) => Array.from({ length: many }, (_, at) => `t${at}`).join(',');
    const rows = `brand\toem\ttags\nA\t20\t${tags(20)}\nA\t21\t${tags(21)}\n`;
    const record = await uploaded(file('a.txt', rows));
    expect(record).toMatchObject({ state: 'success', errorFileExists: true });
    const errors = await text(await offers.errors({ offerId: record.id }));
    expect(errors).toContain('A\t21');
    expect(errors).not.toContain('A\t20');
  });

  test('rule 3: only the last uploaded set is searched', async () => {
    const { offers: own, search } = loginOf('rules');
    const found = async () => (await search.search({ query: 'a' })).data.map(({ oem }) => oem);
    await uploaded(file('a.txt', 'brand\toem\nA\t1\n'), own);
    expect(await found()).toEqual(['1']);
    await uploaded(file('b.txt', 'brand\toem\nA\t2\n'), own);
    expect(await found()).toEqual(['2']);
  });

  test('rule 4: runs only when no earlier upload is unfinished', async () => {
    const { id } = await offers.process(file('a.txt', GOOD));
    await expect(offers.process(file('b.txt', GOOD))).rejects.toMatchObject({ details: { status: 409 } });
    await ended(offers, id);
    expect(await uploaded(file('b.txt', GOOD))).toMatchObject({ state: 'success' });
  });

  test('rule 5: a missing required column fails the upload with an error text', async () => {
    const record = await uploaded(file('a.txt', 'oem\tname\n1\tx\n'));
    expect(record).toMatchObject({ state: 'failed', linesProcessed: 0 });
    expect(record.error).toContain('brand');
  });
});

describe('offer states', () => {
  test('queued, processing with growing linesProcessed, success', async () => {
    const own = loginOf('states').offers;
    const rows = Array.from({ length: 1000 }, (_, at) => `A\t${at}`).join('\n');
    const { id } = await own.process(file('a.txt', `brand\toem\n${rows}\n`));
    await world.settled();
    const look = () => own.get({ offerId: id });
    const seen = [await look()];
    for (const ms of [100, 500, 600]) {
      clock.time += ms;
      seen.push(await look());
    }
    expect(seen.map(({ state }) => state)).toEqual(['queued', 'processing', 'processing', 'success']);
    const lines = seen.map(({ linesProcessed }) => linesProcessed);
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    expect([lines[0], lines[2]! > lines[0]!, lines[3]]).toEqual([0, true, 1000]);
    expect(seen[3]!.lastModifiedTime).toBeGreaterThan(seen[0]!.lastModifiedTime);
  });
});

describe('reading uploads', () => {
  test('GET /us2/public/offer/source: the file as txt whose name has the suffix .offer', async () => {
    const { id } = await uploaded(file('prices.csv', COMMAS));
    expect(await text(await offers.source({ offerId: id }))).toBe(COMMAS);
    const reply = await fetch(`${world.url}/us2/public/offer/source?offerId=${id}`, {
      headers: { authorization: 'Bearer main' },
    });
    expect(reply.headers.get('content-disposition')).toContain('.offer');
    expect(reply.headers.get('content-type')).toContain('text/plain');
  });

  test('GET /us2/public/offer/get: a single object, no data wrapper', async () => {
    const { id } = await uploaded(file('a.txt', GOOD));
    const reply = await fetch(`${world.url}/us2/public/offer/get?offerId=${id}`, {
      headers: { authorization: 'Bearer main' },
    });
    const written = await reply.text();
    expect(written).toMatch(new RegExp(`"id":${id}\\b`));
    expect(Object.keys(JSON.parse(written) as object)).not.toContain('data');
  });

  test('GET /us2/public/offer/list: defaults 0 and 20, newest first, each', async () => {
    const own = loginOf('pages').offers;
    const ids: string[] = [];
    for (let n = 0; n < 23; n++) {
      ids.unshift((await uploaded(file(`${n}.txt`, GOOD), own)).id);
    }
    const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
    expect(idsOf((await own.list()).data)).toEqual(ids.slice(0, 20));
    expect(idsOf((await own.list({ page: 1 })).data)).toEqual(ids.slice(20));
    expect(idsOf((await own.list({ page: 2, size: 5 })).data)).toEqual(ids.slice(10, 15));
    const all: { id: string }[] = [];
    for await (const one of own.list.each({ size: 5 })) all.push(one);
    expect(idsOf(all)).toEqual(ids);
  });

  test('GET /us2/public/offer/listTags: the unique tags', async () => {
    const own = loginOf('tags').offers;
    const { id } = await uploaded(file('a.txt', GOOD), own);
    const { data, requestId } = await own.listTags({ offerId: id });
    expect(data.toSorted()).toEqual(['brakes', 'front']);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('GET /us2/public/offer/errors: errorFileExists tells whether there are any; name, error columns, row', async () => {
    const good = await uploaded(file('a.txt', GOOD));
    expect(good.errorFileExists).toBe(false);
    await expect(offers.errors({ offerId: good.id })).rejects.toMatchObject({ details: { status: 404 } });
    const bad = await uploaded(file('b.txt', `${GOOD}\tX-1\tNo brand\t\n`));
    expect(bad.errorFileExists).toBe(true);
    const [header, row] = (await text(await offers.errors({ offerId: bad.id }))).split(/\r?\n/);
    expect(header).toMatch(/\tbrand\toem\tname\ttags$/);
    expect(row).toMatch(/\t\tX-1\tNo brand\t$/);
  });

  test.each(['get', 'source', 'listTags', 'errors'] as const)(
    "%s: another login's offer is not there",
    async (name) => {
      const { id } = await uploaded(file('a.txt', GOOD));
      await expect(loginOf('other').offers[name]({ offerId: id })).rejects.toMatchObject({ details: { status: 404 } });
    },
  );

  test('retention: 90 days; the last active upload is kept longer', async () => {
    const own = loginOf('old').offers;
    const first = await uploaded(file('a.txt', GOOD), own);
    const last = await uploaded(file('b.txt', GOOD), own);
    clock.time += 89 * DAY;
    expect((await own.list()).data).toHaveLength(2);
    clock.time += 2 * DAY;
    expect((await own.list()).data.map(({ id }) => id)).toEqual([last.id]);
    await expect(own.get({ offerId: first.id })).rejects.toMatchObject({ details: { status: 404 } });
    expect(await text(await own.source({ offerId: last.id }))).toBe(GOOD);
  });
});
