import { ROUTES } from '../../src/web/routes.ts';
import { feedNames, LARGE, loginNames } from './fill-ledger.ts';
import type { Served } from './served.ts';

/** A page that is measured; `live`: it can be followed. */
export type MeasuredPage = { path: string; live: boolean };

/** Downloads of files, of which a filled home does not have all; pages to sign in lead whoever has signed in to another. */
const LEFT_OUT = [
  '/runs/:run/delivery',
  '/runs/:run/:file',
  '/uploads/:upload/:file',
  '/mails/:mail',
  '/docs/pictures/:picture',
];
const TO_SIGN_IN = /^\/sign-(?:in|out)(?:\/|$)/u;

/** Addresses of every page of the table of routes, with ids that there are; fails for a page that has none here. */
export async function measuredPages(served: Served): Promise<MeasuredPage[]> {
  const addresses = await addressesOf(served);
  const routes = ROUTES.filter(
    ({ method, path }) =>
      method === 'GET' && !path.startsWith('/api/') && !LEFT_OUT.includes(path) && !TO_SIGN_IN.test(path),
  );
  const pages = routes.flatMap(({ path, live = false }) => {
    const paths = path.includes(':') ? addresses[path] : (addresses[path] ?? [path]);
    if (paths === undefined) throw new Error(`bench/web/pages.ts has no address for ${path}`);
    return paths.map((one) => ({ path: one, live: live !== false }));
  });
  return [...pages, { path: '/api/v1/status', live: false }];
}

async function addressesOf(served: Served): Promise<Record<string, string[]>> {
  const page = async (path: string) => (await served.get(path)).text();
  const api = async <T>(path: string) => JSON.parse(await page(`/api/v1${path}`)) as T;
  const idIn = async (list: string, kind: string) => {
    const id = new RegExp(`href="/${kind}/([\\w-]+)"`, 'u').exec(await page(list))?.[1];
    if (id === undefined) throw new Error(`${list} shows none of ${kind}`);
    return id;
  };
  const [feed, login] = [feedNames(LARGE)[3]!, loginNames(LARGE)[0]!];
  const [run, before] = await api<{ run: string }[]>(`/runs?outcome=partial&feed=${feed}`);
  const upload = await idIn('/uploads', 'uploads');
  return {
    '/runs': ['/runs', '/runs?text=price', `/runs?feed=${feed}&outcome=held`],
    '/runs/:run': [`/runs/${run!.run}`],
    '/runs/:run/rows': [`/runs/${run!.run}/rows?group=read`],
    '/feeds/:feed': [`/feeds/${feed}`],
    '/feeds/:feed/rules': [`/feeds/${feed}/rules`],
    '/docs/:page': ['/docs/scorecard'],
    '/docs/:folder/:page': ['/docs/decisions/029-reports-by-reader'],
    '/logins/:login': [`/logins/${login}`, `/logins/${login}?page=20`],
    '/incidents/:incident': [`/incidents/${await idIn('/incidents', 'incidents')}`],
    '/uploads/:upload': [`/uploads/${upload}`],
    '/compare': [`/compare?of=runs&a=${before!.run}&b=${run!.run}`],
    '/part': ['/part', '/part?brand=BOSCH&number=1000'],
    '/suppliers': ['/suppliers', '/suppliers?days=30'],
  };
}
