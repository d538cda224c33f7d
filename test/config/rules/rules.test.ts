import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { configFile, load, problemsOf } from '../config-file.ts';

/** A small configuration with more settings, for the feed `north`, for the login `main`, or at the top. */
function config({
  feed = {},
  login = {},
  ...top
}: Record<string, unknown> & { feed?: object; login?: object }): string {
  const north = { login: 'main', source: { type: 'directory', path: 'inbox' }, ...feed };
  return stringify({ ...top, logins: { main: login }, feeds: { north } });
}

const http = (more: object) => ({ feed: { source: { type: 'http', url: 'https://example.com/x', ...more } } });

const provider = (more: object, publicUrl: string | undefined = 'https://offers.example.com') => ({
  web: {
    publicUrl,
    oidc: { issuer: 'https://login.example.com', clientId: 'us', clientSecret: 'x', roles: { admin: ['a'] }, ...more },
  },
});

test.each<[string, Parameters<typeof config>[0], string]>([
  [
    'a provider that knows no address to send browsers back to',
    { web: { oidc: provider({}).web.oidc } },
    'web.oidc the provider sends browsers back to web.publicUrl: write the address that users open',
  ],
  [
    'a provider for whom anybody could answer',
    provider({ issuer: 'http://login.example.com' }),
    'web.oidc.issuer anybody on the way could answer for the provider: write an https address',
  ],
  [
    'an issuer with a query',
    provider({ issuer: 'https://login.example.com/?tenant=1' }),
    'web.oidc.issuer an issuer is an address without a query, a fragment and a user: remove them',
  ],
  [
    'a provider that gives nobody a role',
    provider({ roles: {} }),
    'web.oidc.roles nobody could sign in: name the groups of a role, such as admin: [offerline-admins]',
  ],
  [
    'a sign-in that is none',
    provider({ scopes: ['profile'] }),
    'web.oidc.scopes without openid it is no sign-in: add it',
  ],
  ['brand cannot be removed', { offer: { columns: { brand: null } } }, 'offer.columns.brand brand cannot be removed'],
  [
    'brand cannot be optional',
    { offer: { columns: { brand: { required: false } } } },
    'offer.columns.brand.required brand cannot be optional',
  ],
  [
    'two columns share a spelling',
    { offer: { columns: { maker: { names: ['Her Steller'] } } } },
    'offer.columns.maker "hersteller" is also a header spelling of the column brand',
  ],
  [
    "a feed's spelling belongs to another column",
    { feed: { columns: { oem: ['Name'] } } },
    'feeds.north.columns.oem "name" is also a header spelling of the column name',
  ],
  [
    'a position where there is a header',
    { feed: { columns: { oem: 2 }, dialect: { header: true } } },
    'feeds.north.columns.oem a position (2) is for files without a header',
  ],
  [
    'a position where the header is in a line',
    { feed: { columns: { oem: 2 }, dialect: { header: 7 } } },
    'feeds.north.columns.oem a position (2) is for files without a header',
  ],
  [
    'a position taken twice',
    { feed: { columns: { brand: 1, oem: 2, tags: 1 } } },
    'feeds.north.columns.tags position 1 is already taken by the column brand',
  ],
  [
    'no position where there is no header',
    { feed: { columns: { oem: 2 }, dialect: { header: false } } },
    'feeds.north.columns.brand the file has no header (dialect.header: false), so the required column brand needs',
  ],
  ['a default for no column', { feed: { defaults: { nam: 'x' } } }, 'feeds.north.defaults.nam there is no "nam"'],
  ['charset', { feed: { dialect: { charset: 'base64' } } }, 'feeds.north.dialect.charset unknown charset "base64"'],
  ['delimiter', { feed: { dialect: { delimiter: 'ab' } } }, 'feeds.north.dialect.delimiter "ab" cannot delimit cells'],
  ['quote as delimiter', { feed: { dialect: { delimiter: '"' } } }, 'feeds.north.dialect.delimiter "\\"" cannot'],
  ['a repair that does not exist', { feed: { repair: ['typos'] } }, 'feeds.north.repair[0]'],
  [
    'an archive outside of its bucket',
    { archive: { type: 's3', bucket: 'offers', prefix: '../other' } },
    'archive.prefix expected no part . or ..',
  ],
  [
    'keys in the address of a bucket',
    { archive: { type: 's3', bucket: 'offers', endpoint: 'https://KEY:SECRET@s3.example.com' } },
    'archive.endpoint expected an address without a login, ? and #; keys belong into auth, found "https://s3.example.com"',
  ],
  ['an entry outside its archive', { feed: { entry: '../a.csv' } }, 'feeds.north.entry a pattern is for paths inside'],
  ['an entry at a root', { feed: { entry: '/a.csv' } }, 'feeds.north.entry a pattern is for paths inside the archive'],
  [
    'entries outside the archive',
    { feed: { entries: ['a*', '../b*'] } },
    'feeds.north.entries[1] a pattern is for paths inside',
  ],
  [
    'one entry and several',
    { feed: { entry: 'a*', entries: 'all' } },
    'feeds.north.entries entry chooses one file of an archive',
  ],
  [
    'a join without names of its files',
    { feed: { join: { on: ['oem'] } } },
    'feeds.north.join needs the names of the list and of what is joined to it, the list first',
  ],
  [
    'a join of entries without names',
    { feed: { join: { on: ['oem'] }, entries: ['list*', 'stock*'] } },
    'feeds.north.entries with join each entry needs a name, the list first',
  ],
  [
    'a join of one file',
    { feed: { join: { on: ['oem'] }, entries: { list: 'list*' } } },
    'feeds.north.join needs the names of the list and of what is joined to it',
  ],
  [
    'names of entries that nothing joins',
    { feed: { entries: { list: 'list*', stock: 'stock*' } } },
    'feeds.north.entries entries with names are for join',
  ],
  [
    'a join by brand alone',
    { feed: { join: { on: ['brand'] }, entries: { list: 'list*', stock: 'stock*' } } },
    'feeds.north.join.on expected [oem] or [brand, oem]',
  ],
  [
    'a join of another kind',
    { feed: { join: { on: ['oem'], kind: 'inner' }, entries: { list: 'list*', stock: 'stock*' } } },
    'feeds.north.join.kind expected left, found "inner"',
  ],
  [
    'a partner that is no file',
    { feed: { join: { on: ['oem'], partners: { stok: {} } }, entries: { list: 'list*', stock: 'stock*' } } },
    'feeds.north.join.partners.stok is none of the files that are joined: stock',
  ],
  [
    'the list as a partner',
    { feed: { join: { on: ['oem'], partners: { list: {} } }, entries: { list: 'list*', stock: 'stock*' } } },
    'feeds.north.join.partners.list is the list, to which the others are joined',
  ],
  [
    'a brand that is not compared',
    { feed: { join: { on: ['oem'], partners: { stock: { brand: 'Marke' } } }, entries: { list: 'a', stock: 'b' } } },
    'feeds.north.join.partners.stock.brand brands are not compared',
  ],
  [
    'the age of an entry',
    { feed: { join: { on: ['oem'], partners: { stock: { maxAge: '1h' } } }, entries: { list: 'a', stock: 'b' } } },
    'feeds.north.join.partners.stock.maxAge nothing reliable says how old a file in an archive is',
  ],
  [
    'the charset of a partner',
    {
      feed: {
        join: { on: ['oem'], partners: { stock: { dialect: { charset: 'hex' } } } },
        entries: { list: 'a', stock: 'b' },
      },
    },
    'feeds.north.join.partners.stock.dialect.charset unknown charset "hex"',
  ],
  [
    'files that are named twice',
    {
      feed: {
        join: { on: ['oem'] },
        entries: { list: 'a', stock: 'b' },
        source: { type: 'directory', path: 'inbox', files: { list: { pattern: 'a' }, stock: { pattern: 'b' } } },
      },
    },
    'feeds.north.join source.files and entries both name the files',
  ],
  [
    'a join of cells that are split',
    {
      feed: {
        join: { on: ['oem'] },
        entries: { list: 'a', stock: 'b' },
        numbers: { split: 'brand-number' },
      },
    },
    'feeds.north.join files cannot be joined where numbers.split takes two values out of one cell',
  ],
  [
    'an entry outside the archive by its name',
    { feed: { join: { on: ['oem'] }, entries: { list: '../a', stock: 'b' } } },
    'feeds.north.entries.list a pattern is for paths inside',
  ],
  ['an entry with backslashes', { feed: { entry: 'a\\b.csv' } }, 'feeds.north.entry write "/" between the folders'],
  ['numbers without a meaning', { feed: { numbers: {} } }, 'feeds.north.numbers say what the cells hold'],
  [
    'numbers without a separator',
    { feed: { numbers: { take: 'each' } } },
    'feeds.north.numbers take: each needs what parts the numbers',
  ],
  [
    'numbers that are torn at a letter',
    { feed: { numbers: { take: 'each', separator: ['/', 'A'] } } },
    'feeds.north.numbers separator "A" would part numbers that have it in them',
  ],
  [
    'tags that are torn at a digit',
    { feed: { tags: { separator: '0' } } },
    'feeds.north.tags.separator "0" stands in tags',
  ],
  ['an empty default', { feed: { defaults: { brand: ' ' } } }, 'feeds.north.defaults.brand is empty'],
  [
    'a default on two lines',
    { feed: { defaults: { brand: 'BOSCH\nATE' } } },
    'feeds.north.defaults.brand write a text on one line',
  ],
  [
    'a default that stands for nothing',
    { feed: { defaults: { brand: 'n/a' } } },
    'feeds.north.defaults.brand "n/a" stands for nothing',
  ],
  [
    'a formula for a default',
    { feed: { defaults: { oem: '=A1' } } },
    'feeds.north.defaults.oem "=A1" stands for nothing',
  ],
  [
    'more tags than a position may have',
    { feed: { defaults: { tags: Array.from({ length: 21 }, (_, at) => `t${at}`).join(',') } } },
    'feeds.north.defaults.tags has 21 tags',
  ],
  [
    'numbers that are taken and split',
    { feed: { numbers: { take: 'whole', split: 'number-name' } } },
    'feeds.north.numbers take and split cannot both be set',
  ],
  ['tag separator', { offer: { tagSeparator: '\t' } }, 'offer.tagSeparator a tab, a line break or a quote cannot'],
  [
    'tag separator in a csv file',
    { offer: { layout: 'csv' } },
    'offer.tagSeparator "," already delimits the cells (offer.delimiter)',
  ],
  ['cron', { feed: { schedule: { cron: '61 * * * *' } } }, 'feeds.north.schedule.cron "61 * * * *" is not a schedule'],
  [
    '30 February',
    { feed: { schedule: { cron: '0 0 30 2 *' } } },
    'feeds.north.schedule.cron "0 0 30 2 *" never comes: no month',
  ],
  [
    '31 April',
    { feed: { schedule: { cron: '0 0 31 4,6 *' } } },
    'feeds.north.schedule.cron "0 0 31 4,6 *" never comes: no',
  ],
  [
    'a month 13',
    { feed: { schedule: { cron: '0 0 30 13 *' } } },
    'feeds.north.schedule.cron "0 0 30 13 *" is not a schedule',
  ],
  [
    'nickname',
    { feed: { schedule: { cron: '@reboot' } } },
    'feeds.north.schedule.cron "@reboot" is not a schedule; write one such as',
  ],
  ['hashed cron', { feed: { schedule: { cron: 'H 6 * * *' } } }, 'feeds.north.schedule.cron "H 6 * * *": "H" is not'],
  ['time zone', { feed: { schedule: { cron: '@daily', timezone: 'CET+1' } } }, 'feeds.north.schedule.timezone unknown'],
  [
    'the time zone of the weekly digest',
    { mail: { weekly: { timezone: 'Europe/Bonn' } } },
    'mail.weekly.timezone unknown time zone "Europe/Bonn"',
  ],
  ['a day that no week has', { mail: { weekly: { day: 'funday' } } }, 'mail.weekly.day'],
  [
    'polling',
    { service: { poll: { initial: '60s' } } },
    'service.poll.initial must not be longer than service.poll.max',
  ],
  ['no timeout', { service: { timeout: '0s' } }, 'service.timeout must be longer than zero'],
  ['a wait that is no timer', { login: { coalesce: '30d' } }, 'logins.main.coalesce is too long'],
  ['share', { login: { guard: { maxRowDrop: '130%' } } }, 'logins.main.guard.maxRowDrop expected a share of at most'],
  [
    'user',
    { login: { auth: { type: 'basic', user: 'a:b', password: 'x' } } },
    'logins.main.auth.user a user name with',
  ],
  [
    'header name of a login',
    { login: { auth: { type: 'header', name: 'a b', value: 'x' } } },
    'logins.main.auth.name "a b" is not a header name',
  ],
  ['header name', http({ headers: { 'a b': 'x' } }), 'feeds.north.source.headers["a b"] "a b" is not a header name'],
  [
    'own header',
    http({ headers: { Connection: 'x' } }),
    'feeds.north.source.headers.Connection the header Connection is',
  ],
  [
    'credentials twice',
    http({ headers: { authorization: 'x' }, auth: { type: 'bearer', token: 'y' } }),
    'feeds.north.source.headers.authorization auth sends the header authorization too',
  ],
  [
    'credentials in an address',
    { service: { baseUrl: 'http://a:b@localhost' } },
    'service.baseUrl the address contains a user and password',
  ],
  [
    'a pattern with a folder',
    { feed: { source: { type: 'directory', path: 'x', pattern: 'a/*' } } },
    'feeds.north.source.pattern a pattern is for names inside the folder',
  ],
  ...['{yyMMdd}', '{YYYY-MM-DD}', '{date}', '{csv}', '{MMM}'].map(
    (date): [string, Parameters<typeof config>[0], string] => [
      `a pattern with ${date}`,
      { feed: { source: { type: 'directory', path: 'x', pattern: `price_${date}.csv` } } },
      `feeds.north.source.pattern ${date} means no date: it is written with yyyy, MM, dd, HH, mm and ss`,
    ],
  ),
  [
    'a pattern with two dates',
    { feed: { source: { type: 'directory', path: 'x', pattern: '{yyyy}_{MM}.csv' } } },
    'feeds.north.source.pattern a pattern has one date, and {MM} is another one',
  ],
  [
    'a name of a feed',
    { logins: {}, feeds: { 'a b': {} }, managers: [{ email: 'a@b.de', feeds: ['x'] }] },
    'managers[0]',
  ],
])('%s', async (_, written, problem) => {
  const problems = await problemsOf(config(written));
  expect(problems.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([expect.stringContaining(problem)]);
});

test('what is unusual but right is accepted', async () => {
  const source = { type: 'directory', path: 'x', settle: '0s' };
  const written = config({
    offer: { layout: 'csv', tagSeparator: '|', columns: { name: null, cross: { names: ['cross', 'oe numbers'] } } },
    login: { coalesce: '0s', guard: { maxRowGrowth: '300%' } },
    feed: {
      source,
      schedule: { cron: '30 0 6 * * mon-fri', timezone: 'europe/berlin' },
      columns: { brand: 1, oem: 2, tags: ['Kat-Nr'] },
      dialect: { charset: 'x-mac-cyrillic', delimiter: '|' },
    },
  });
  const loaded = await load(written);
  expect(Object.keys(loaded.config.offer.columns)).toEqual(['cross', 'brand', 'oem', 'tags']);
});

test('a folder that is not there yet is a warning, and so are two feeds that take the same files', async () => {
  const source = { type: 'directory', path: 'inbox' };
  const feeds = { north: { login: 'main', source }, south: { login: 'main', source } };
  const file = configFile(stringify({ logins: { main: {} }, feeds }));
  const shown = async () =>
    (await loadConfig({ file, env: {} })).warnings.map(({ path, message }) => `${path} ${message}`);
  const folder = join(dirname(file), 'inbox');
  const same =
    'feeds.south.source.path the feed north takes the same files (same folder, same pattern); give each feed its own';
  expect(await shown()).toEqual([
    `feeds.north.source.path the folder ${folder} does not exist yet`,
    `feeds.south.source.path the folder ${folder} does not exist yet`,
    same,
  ]);
  mkdirSync(folder);
  expect(await shown()).toEqual([same]);
});

test('credentials without TLS are warnings, unless they stay on this machine', async () => {
  const auth = { type: 'basic', user: 'shop', password: 'h1nter2-42' };
  const source = (url: string, more: object = {}) => ({ login: 'main', source: { type: 'http', url, ...more } });
  const written = {
    service: { baseUrl: 'http://search.example.com:81/x', catalogUrl: 'http://[::1]:8080' },
    logins: { main: { auth } },
    feeds: {
      open: source('http://supplier.example.com/a', { auth }),
      header: source('http://10.0.0.7/a', { headers: { 'X-Api-Key': 'h1nter2-42' } }),
      bare: source('http://supplier.example.com/a'),
      tls: source('https://supplier.example.com/a', { auth }),
      here: source('http://localhost:8080/a', { auth }),
    },
  };
  const { warnings } = await load(stringify(written));
  expect(warnings.map(({ path, message }) => `${path} ${message.split(', where')[0]}`)).toEqual([
    'service.baseUrl credentials are sent to search.example.com:81 without TLS',
    'feeds.open.source.url credentials are sent to supplier.example.com without TLS',
    'feeds.header.source.url credentials are sent to 10.0.0.7 without TLS',
  ]);
  expect(JSON.stringify(warnings)).not.toContain('h1nter2');
});

test('a default is a text without the line break that YAML leaves behind it; one that is kept may be any', async () => {
  const feed = { defaults: { brand: 'BOSCH\n', oem: 'n/a' }, values: { keep: ['N/A'] } };
  const { config: read } = await load(config({ feed }));
  expect(
    readSettings(read, 'north')
      .columns.map(({ key, fallback }) => [key, fallback])
      .slice(0, 2),
  ).toEqual([
    ['brand', 'BOSCH'],
    ['oem', 'n/a'],
  ]);
});

test('marks between numbers may be words with blanks around them, and as many as a list has', async () => {
  const separator = ['/', ' oder ', ' ersetzt durch ', '<br/>', '->', '&', '+', ' u. ', '|'];
  expect(await problemsOf(config({ feed: { numbers: { take: 'each', separator } } }))).toEqual([]);
});
