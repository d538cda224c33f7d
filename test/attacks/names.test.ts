import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { rawZip } from '../support/raw-zip.ts';

/* What every object of JavaScript has is a name like any other: of feeds, logins, columns, tags, brands, entries and fields. */

const LOGIN = 'hasOwnProperty';

const HEADER = 'brand;valueOf;toString;prototype;tags;constructor';

async function shopOfOddNames() {
  const service = await scriptedService();
  const shop = install({
    service: { baseUrl: service.url },
    offer: { columns: { ['__proto__']: { names: ['prototype'] }, toString: {}, tags: { list: true } } },
    logins: { [LOGIN]: { coalesce: '0s', guard: { maxBrandDrop: '90%', maxTagDrop: '90%' } } },
    feeds: {
      constructor: { login: LOGIN, priority: 1, columns: { oem: 'valueOf' } },
      toString: { login: LOGIN, defaults: { ['__proto__']: 'from the defaults' } },
    },
  });
  return { service, shop };
}

/** The cells of a row of an uploaded file by their columns. */
function rowOf(text: string, number: number): Map<string, string | undefined> {
  const [names = [], ...rows] = text.split('\n').map((line) => line.split('\t'));
  return new Map(names.map((name, at) => [name, rows[number - 1]?.[at]]));
}

test('feeds, a login, columns, brands, tags, headers and entries of such names are uploaded, traced and shown', async () => {
  const { service, shop } = await shopOfOddNames();
  const rows = 'constructor;1;a;b;toString,__proto__;x\n__proto__;2;c;d;valueOf;x\n';
  service.fate({ errors: 'message\tbrand\toem\nno such part\t__proto__\t2\n' });
  shop.deliver('constructor', 'constructor.csv', `${HEADER}\n${rows}`);
  expect(await shop.ingest('constructor')).toMatchObject({
    login: LOGIN,
    outcome: 'partial',
    status: 0,
    rows: { read: 2, accepted: 2, contributed: 2, live: 1, rejectedRemotely: 1, unexplained: 0 },
  });
  const uploaded = rowOf(service.offers[0]!.text, 1);
  expect(['__proto__', 'toString', 'brand'].map((name) => uploaded.get(name))).toEqual(['b', 'a', 'constructor']);

  const zip = rawZip([{ name: 'constructor/__proto__', data: 'brand;oem;tags\ntoString;7;constructor\n' }]);
  shop.deliver('toString', '__proto__.zip', zip);
  expect(await shop.ingest('toString')).toMatchObject({
    outcome: 'live',
    status: 0,
    rows: { read: 1, live: 1, rejectedRemotely: 0, unexplained: 0 },
    dataset: { feeds: { constructor: 2, toString: 1 } },
  });
  expect(service.offers[0]?.text).toContain('from the defaults');
  shop.deliver('constructor', 'more.csv', `${HEADER}\n${rows}valueOf;3;e;f;isPrototypeOf;x\n`);
  const { run, status } = await shop.ingest('constructor');
  expect(status).toBe(0);

  const asked = [['feeds'], ['logins'], ['runs'], ['incidents'], ['show', run], ['trace', '__proto__', '2']];
  for (const args of asked) {
    const { status: ended, stdout, stderr } = await shop.offerline(...args);
    expect(`${args.join(' ')}: ${ended} ${stderr}`).toBe(`${args.join(' ')}: 0 `);
    expect(stdout).not.toContain('native code');
  }
});

test('names that are not there are not found, and a login of a forbidden name is refused with its place', async () => {
  const { shop } = await shopOfOddNames();
  for (const args of [
    ['ingest', 'valueOf', '--wait'],
    ['runs', '--feed', 'isPrototypeOf'],
    ['pause', 'propertyIsEnumerable', '--reason', 'x'],
  ]) {
    const { status, stderr } = await shop.offerline(...args);
    expect(status).toBe(2);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
  expect(await shop.offerline('api', 'constructor', '--param', '__proto__=1')).toMatchObject({ status: 2 });
  expect((await shop.offerline('api', 'search', '--param', '__proto__=1', '--param', 'constructor=2')).stderr).toMatch(
    /no parameter __proto__[^]*no parameter constructor/,
  );
  shop.configure({ logins: { ['__proto__']: {} }, feeds: { constructor: { login: '__proto__' } } });
  const { status, stdout } = await shop.offerline('config', 'check', '--json');
  expect(status).toBe(2);
  expect(stdout).toContain('expected a name of letters, digits');
});
