import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/service/operations.ts';
import { serve } from '../../support/http-server.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Reply = { status?: number; body: unknown };

/** A folder with a configuration whose service answers each path as it is told, and the program to run in it. */
async function installation(
  replies: Record<string, Reply | ((query: URLSearchParams) => Reply)>,
  logins: object = { main: {} },
) {
  const bodies: string[] = [];
  const { url, requests } = await serve((request, response) => {
    void (async () => {
      bodies.push(await text(request));
      const address = new URL(request.url ?? '', 'http://service');
      const told = replies[address.pathname.split('/').at(-1) ?? ''] ?? { status: 404, body: 'nothing here' };
      const { status = 200, body } = typeof told === 'function' ? told(address.searchParams) : told;
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    })();
  });
  const folder = tempFolder();
  const config = { service: { baseUrl: url, retries: 0 }, logins, feeds: {} };
  writeFileSync(join(folder, 'offerline.yaml'), JSON.stringify(config));
  const env = { OFFERLINE_CONFIG: join(folder, 'offerline.yaml'), LOG_LEVEL: 'silent' };
  return { folder, requests, bodies, api: (...args: string[]) => runCli(['api', ...args], folder, env) };
}

describe('the list', () => {
  test('names every operation with its parameters, without a configuration', async () => {
    const { status, stdout } = await runCli(['api'], tempFolder());
    expect(status).toBe(0);
    for (const { name } of OPERATIONS.values()) expect(stdout).toMatch(new RegExp(`^  (offer/)?${name} `, 'm'));
    expect(stdout).toContain('query*');
    const json = JSON.parse((await runCli(['api', '--json'], tempFolder())).stdout) as { operation: string }[];
    expect(json.map(({ operation }) => operation.replace('offer/', ''))).toEqual([...OPERATIONS.keys()]);
  });
});

describe('what cannot be called ends with 2 before anything is sent', () => {
  test.each([
    [['serach'], 'There is no operation "serach"; did you mean search?'],
    [['offer/lst'], 'There is no operation "offer/lst"; did you mean offer/list?'],
    [['offer/process', '--param', 'offersFile=x'], 'Use offerline ingest FEED --file PATH'],
    [['search', '--param', 'query=x', '--body', 'b.json'], 'search: --body: this operation has no body; use --param'],
    [['identify', '--param', 'identString=x', '--all-pages'], 'identify: --all-pages: this operation has no pages'],
    [
      ['offer/source', '--param', 'offerId=1', '--json'],
      'offer/source: --json: this operation answers with a file; name one with --out',
    ],
    [
      ['advancedSearch', '--param', 'searchBy=OFFER', '--body', 'none.json'],
      'The body none.json cannot be read: it does not exist.',
    ],
    [['search', '--param', 'query=x', '--login', 'mian'], 'There is no login "mian"; did you mean "main"?'],
    [['--param', 'query=x'], 'Name the operation; `offerline api` lists them.'],
  ])('%j', async (args, message) => {
    const { api, requests } = await installation({});
    expect(await api(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(message) as string,
    });
    expect(requests).toEqual([]);
  });

  test('all problems are named at once', async () => {
    const { api } = await installation({});
    const { status, stderr } = await api(
      'search',
      '--param',
      'qery=x',
      '--param',
      'page=z',
      '--param',
      'size',
      '--all-pages',
      '--body',
      'x',
    );
    expect(status).toBe(2);
    expect(stderr).toBe(
      [
        'search has 5 problems:',
        '  --param size: expected NAME=VALUE',
        '  --body: this operation has no body; use --param',
        '  query is missing: words, article numbers, brands, a VIN or frame number; ?word is optional',
        '  page: expected a whole number from 0 to 2147483647, found "z"',
        '  search has no parameter qery; did you mean query?',
        '',
      ].join('\n'),
    );
  });

  test('with several logins one must be named', async () => {
    const { api } = await installation({}, { main: {}, other: {} });
    expect((await api('listAutoInfo')).stderr).toBe('Choose one: --login main | other.\n');
  });
});

describe('answers', () => {
  const PARTS = {
    data: [{ detailId: 1, oem: '0986', brand: 'BOSCH', tags: ['front', 'rear'], colour: '\u001B[31m' }],
    requestId: 'r-1',
  };

  test('a list is a table, and with --json the reply', async () => {
    const { api, requests } = await installation({ search: { body: PARTS } });
    const shown = await api('search', '--param', 'query=brake pad=1', '--param', 'size=5');
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    expect(shown.stdout).toBe(
      'detailId  oem   brand  tags         colour\n1         0986  BOSCH  front, rear  \\u{1b}[31m\n\nrequestId r-1\n',
    );
    expect(requests[0]!.url).toBe('/us2/public/search/search?query=brake+pad%3D1&size=5');
    const { stdout } = await api('search', '--param', 'query=x', '--json');
    expect(JSON.parse(stdout)).toEqual({ data: [{ ...PARTS.data[0], detailId: '1' }], requestId: 'r-1' });
  });

  test('a body comes from a file, and single parameters win over it', async () => {
    const { api, bodies, folder } = await installation({ advancedSearch: { body: PARTS } });
    writeFileSync(join(folder, 'b.json'), '{"searchBy":"OFFER","autoInfoId":9007199254740993,"query":"a"}');
    const { status } = await api(
      'advancedSearch',
      '--body',
      'b.json',
      '--param',
      'query=b',
      '--param',
      'tags=x,y',
      '--param',
      'tags=z',
    );
    expect([status, bodies]).toEqual([
      0,
      ['{"searchBy":"OFFER","query":"b","autoInfoId":9007199254740993,"tags":["x","y","z"]}'],
    ]);
  });

  test('all pages are one list', async () => {
    const { api } = await installation({
      listAutoInfo: (query) => ({
        body: { data: [{ id: Number(query.get('page')), state: 'success' }], totalPages: 3 },
      }),
    });
    const { stdout } = await api('listAutoInfo', '--all-pages', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ id: '0' }, { id: '1' }, { id: '2' }] });
  });

  test('a file goes to stdout as it is, or into a file', async () => {
    const { api, folder } = await installation({ errors: { body: 'line\tmessage\n' } });
    expect((await api('offer/errors', '--param', 'offerId=1')).stdout).toBe('line\tmessage\n');
    const { stdout } = await api('errors', '--param', 'offerId=1', '--out', 'e.txt', '--json');
    expect(JSON.parse(stdout)).toEqual({ file: 'e.txt', bytes: 13 });
    expect(readFileSync(join(folder, 'e.txt'), 'utf8')).toBe('line\tmessage\n');
  });

  test('quick groups, vehicles and catalogs are trees', async () => {
    const leaf = (name: string, quickGroupId: number) => ({ name, quickGroupId, link: true, children: [] });
    const { api } = await installation({
      listQuickGroup: {
        body: [{ name: 'Brakes', quickGroupId: 1, link: false, children: [leaf('Pads', 2), leaf('Discs', 3)] }],
      },
      findVehicle: {
        body: [
          {
            catalog: 'N1',
            brand: 'NORD',
            name: 'Fjell',
            vehicleId: '7',
            ssd: 's',
            attributes: [{ key: 'doors', value: '5' }],
          },
        ],
      },
      getCatalogInfo: {
        body: {
          code: 'N1',
          name: 'Nord',
          brand: 'NORD',
          features: [{ name: 'vinsearch', example: 'V' }],
          operations: [{ name: 'wizard', fields: [{ name: 'year', pattern: '\\d{4}' }] }],
        },
      },
    });
    const groups = await api('listQuickGroup', '--param', 'catalog=N1', '--param', 'ssd=s', '--param', 'vehicleId=7');
    expect(groups.stdout).toBe('Brakes  1  (no parts)\n├─ Pads  2\n└─ Discs  3\n');
    expect((await api('findVehicle', '--param', 'identString=V')).stdout).toBe(
      'NORD Fjell  catalog N1, vehicleId 7\n├─ doors: 5\n└─ ssd s\n',
    );
    expect((await api('getCatalogInfo', '--param', 'catalog=N1')).stdout).toBe(
      'N1 Nord  NORD\n├─ features\n│  └─ vinsearch  such as V\n└─ operations\n   └─ wizard\n      └─ year  \\d{4}\n',
    );
  });

  test('fields of a custom operation are parameters of their own, checked by the catalog', async () => {
    const fields = [{ name: 'year', pattern: '\\d{4}', example: '2012' }];
    const { api, requests } = await installation({
      getCatalogInfo: { body: { code: 'N1', operations: [{ name: 'wizard', fields }] } },
      execCustomOperation: { body: [] },
    });
    const call = ['execCustomOperation', '--param', 'catalog=N1', '--param', 'operation=wizard'];
    expect((await api(...call, '--param', 'year=2012')).stdout).toBe('Nothing found.\n');
    expect(requests.at(-1)!.url).toBe('/execCustomOperation?operation=wizard&catalog=N1&year=2012');
    const wrong = await api(...call, '--param', 'year=12');
    expect(wrong).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"12" does not fit \\d{4}, for example 2012') as string,
    });
  });

  test('a refusal ends with 4, and shows no credential', async () => {
    const auth = { type: 'bearer', token: 'S3cret' };
    const { api } = await installation({ search: { status: 400, body: 'bad token S3cret' } }, { main: { auth } });
    const { status, stderr, stdout } = await api('search', '--param', 'query=x', '--json');
    expect([status, stderr]).toEqual([
      4,
      'GET /us2/public/search/search answered 400 (invalid request): bad token [secret]\n',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'service-refused' } });
  });
});
