import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How large a made installation is. */
export type Size = { runs: number; feeds: number; logins: number; incidents: number; seed: number };

/** What an installation of a large shop looks like. */
export const LARGE: Size = { runs: 20_000, feeds: 200, logins: 5, incidents: 1000, seed: 19 };

/** A feed that is live and no longer configured. */
export const GONE = 'gone-supplier';

const SUPPLIERS = [
  ['nordteile', 'Nordteile GmbH', 'de'],
  ['ooo-severnye-zapchasti', 'ООО «Северные запчасти и комплектующие»', 'ru'],
  ['brakes', 'Brakes', 'en'],
  ['pieces-auto-du-midi', 'Pièces Auto du Midi S.A.R.L. & Fils', 'en'],
  ['gangdao', '广州刚道汽车配件有限公司', 'en'],
  ['ricambi', 'Ricambi e Accessori d’Epoca di Giovanni Battista Quattrocchi', 'en'],
  ['x', 'X', 'en'],
  ['czesci-zamienne', 'Części Zamienne Śląsk Sp. z o.o.', 'en'],
  ['kfz', 'Kfz-Großhandel Süd (Übergangslieferungen) <Test> & Söhne', 'de'],
] as const;

/** The names of the feeds, those of the configuration only. */
export function feedNames({ feeds }: Pick<Size, 'feeds'>): string[] {
  return Array.from({ length: feeds }, (_, at) => `${SUPPLIERS[at % SUPPLIERS.length]![0]}-${at}`);
}

/** The names of the logins; each feed belongs to one of them in turn. */
export function loginNames({ logins }: Pick<Size, 'logins'>): string[] {
  return Array.from({ length: logins }, (_, at) => `shop-${at}`);
}

/** What is at the doors of an installation: where its hooks and its provider are, and the port that its users come to. */
export type Doors = { hooks: number; receiver: string; provider: string; port: number };

/**
 * Writes the configuration of an installation and the folders that its feeds look into; gives its path. With `doors` suppliers have pages, hooks are
 * told, and a provider signs users in.
 */
export function configure(folder: string, size: Size, doors?: Doors): string {
  const logins = loginNames(size);
  const lines = feedNames(size).map((feed, at) => {
    const inbox = join(folder, 'inbox', feed);
    mkdirSync(inbox, { recursive: true });
    const [, name, language] = SUPPLIERS[at % SUPPLIERS.length]!;
    const settings = [
      `login: ${logins[at % logins.length]}`,
      `source: { type: directory, path: ${JSON.stringify(inbox)} }`,
      `supplier: { name: ${JSON.stringify(name)}, language: ${language}, page: ${doors !== undefined} }`,
      // Every fifth delivers when it likes.
      ...(at % 5 === 4 ? [] : [`schedule: { cron: '${at % 60} ${at % 2 === 0 ? '6,18' : '4'} * * *', timezone: UTC }`]),
      ...(at % 3 === 0 ? ['expectEvery: 36h'] : []),
      ...(at % 7 === 0 ? ['guard: { maxRowDrop: 30%, maxRowGrowth: 400% }'] : []),
    ];
    return `  ${feed}: { ${settings.join(', ')} }`;
  });
  const shops = logins.map((login, at) => `  ${login}: ${at % 2 === 0 ? '{}' : '{ guard: { maxRejected: 10% } }'}`);
  const file = join(folder, doors === undefined ? 'offerline.yaml' : 'doors.yaml');
  const head = ['service: { baseUrl: http://127.0.0.1:9 }', 'logins:', ...shops, 'feeds:'];
  const managers = ['managers:', '  - { email: ops@example.com, audience: ops }'];
  writeFileSync(
    file,
    [...head, ...lines, ...managers, ...(doors === undefined ? [] : doorLines(doors)), ''].join('\n'),
  );
  return file;
}

function doorLines({ hooks, receiver, provider, port }: Doors): string[] {
  const host = `127.0.0.1:${port}`;
  const oidc = `{ issuer: ${provider}, clientId: offerline, clientSecret: of the benchmark, roles: { ops: [ops] } }`;
  const secret = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;
  const told = `{ url: ${receiver}/in, secret: ${secret}, allowHosts: [127.0.0.1], timeout: 5m }`;
  return [
    `web: { listen: ${host}, publicUrl: http://${host}/, oidc: ${oidc} }`,
    'hooks:',
    ...Array.from({ length: hooks }, (_, at) => `  hook-${at}: ${told}`),
  ];
}
