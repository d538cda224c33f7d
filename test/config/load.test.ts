import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { configFile, load, problemsOf } from './config-file.ts';

const SMALL = `
logins:
  main: {}
feeds:
  north:
    login: main
    source: { type: directory, path: inbox }
`;

test('only logins and feeds must be written; the rest has the defaults of the contract', async () => {
  const small = await load(SMALL);
  const full = await load(readFileSync(new URL('contract.yaml', import.meta.url), 'utf8'), { MAIN_PASSWORD: 'x' });
  expect(small.config.offer).toEqual(full.config.offer);
  expect(Object.keys(small.config.offer.columns)).toEqual(['brand', 'oem', 'name', 'tags']);
  expect(small.config.keep).toEqual(full.config.keep);
  expect(small.config.service).toEqual({ ...full.config.service, baseUrl: undefined, catalogUrl: undefined });
  expect(small.config.logins['main']).toEqual({ ...full.config.logins['main'], auth: { type: 'none' } });
  expect(small.config.feeds['north']?.dialect).toEqual(full.config.feeds['north']?.dialect);
});

test("the contract's example is right; a delimiter of a txt file is a warning", async () => {
  const text = readFileSync(new URL('contract.yaml', import.meta.url), 'utf8');
  const { warnings, sandbox } = await load(text, { MAIN_PASSWORD: '9fK2xLq07TzB41Wv' });
  expect(sandbox).toBe(false);
  expect(warnings.map(({ path }) => path)).toEqual(['offer.delimiter', 'feeds.north.source.path']);
});

test('the file is the argument, else OFFERLINE_CONFIG, else config/offerline.yaml', async () => {
  const file = configFile(SMALL);
  const other = configFile(SMALL);
  const env = { OFFERLINE_CONFIG: other };
  expect((await loadConfig({ file, env })).file).toBe(file);
  expect((await loadConfig({ env })).file).toBe(other);
  expect((await loadConfig({ env: { OFFERLINE_CONFIG: '' } })).file).toBe(join(process.cwd(), 'config/offerline.yaml'));
});

test('home is the argument, else OFFERLINE_HOME, else .offerline beside the file', async () => {
  const file = configFile(SMALL);
  const home = tempFolder();
  const env = { OFFERLINE_HOME: join(home, 'b') };
  expect((await loadConfig({ file, home: join(home, 'a'), env })).home).toBe(join(home, 'a'));
  expect((await loadConfig({ file, env })).home).toBe(join(home, 'b'));
  expect((await loadConfig({ file, env: {} })).home).toBe(join(dirname(file), '.offerline'));
});

test('the shared servers come from the environment; an empty variable is none', async () => {
  const env = { REDIS_URL: 'redis://r', DATABASE_URL: 'postgres://d', ARCHIVE_URL: '', LOG_LEVEL: 'debug' };
  expect(await load(SMALL, env)).toMatchObject({
    redisUrl: 'redis://r',
    databaseUrl: 'postgres://d',
    archive: { type: 'folder' },
    smtpUrl: undefined,
    logLevel: 'debug',
  });
  expect(await problemsOf(SMALL, { LOG_LEVEL: 'loud' })).toEqual([
    '0:0 LOG_LEVEL expected one of trace, debug, info, warn, error, fatal, silent, found "loud"',
  ]);
});

test('without a service, or with the word sandbox, the sandbox serves', async () => {
  expect((await load(SMALL)).sandbox).toBe(true);
  expect((await load(`service: { baseUrl: sandbox }${SMALL}`)).sandbox).toBe(true);
  expect((await load(`service: { baseUrl: "http://localhost:1" }${SMALL}`)).sandbox).toBe(false);
});

test('paths are relative to the configuration file', async () => {
  const { config, file } = await load(SMALL);
  expect(config.feeds['north']?.source).toMatchObject({ path: join(dirname(file), 'inbox') });
});

const SECRETS = `
logins:
  basic: { auth: { type: basic, user: "\${WHO:-shop}", password: "\${PASSWORD}" } }
  bearer: { auth: { type: bearer, token: { file: keys/token } } }
  header: { auth: { type: header, name: X-Key, value: "a$\${b}" } }
feeds:
  north:
    login: basic
    source: { type: http, url: "https://example.com/\${FOLDER}/x", headers: { X-Customer: "\${CUSTOMER}" } }
`;

test('credentials come from the environment or from files, and cannot be printed', async () => {
  const file = configFile(SECRETS);
  mkdirSync(join(dirname(file), 'keys'));
  writeFileSync(join(dirname(file), 'keys/token'), 't0ken\r\n');
  const env = { PASSWORD: 'a: [b, *c] # ${d}', FOLDER: 'f', CUSTOMER: '0042' };
  const { config } = await loadConfig({ file, env });
  const { basic, bearer, header } = config.logins;
  expect(basic?.auth.type === 'basic' && [basic.auth.user, basic.auth.password.reveal()]).toEqual([
    'shop',
    'a: [b, *c] # ${d}',
  ]);
  expect(bearer?.auth.type === 'bearer' && bearer.auth.token.reveal()).toBe('t0ken');
  expect(header?.auth.type === 'header' && header.auth.value.reveal()).toBe('a${b}');
  const source = config.feeds['north']?.source;
  expect(source?.type === 'http' && [source.url, source.headers['X-Customer']?.reveal()]).toEqual([
    'https://example.com/f/x',
    '0042',
  ]);
  expect(JSON.stringify(config)).not.toMatch(/t0ken|\[b|0042|a\$/);
});

test('JSON is YAML, keys may be merged, and a byte order mark is no key', async () => {
  const json = { $schema: './x.json', logins: { main: {} }, feeds: {} };
  expect((await load(JSON.stringify(json))).config).not.toHaveProperty('$schema');
  const merged = `\uFEFF${SMALL}  south:\n    <<: &more { priority: 5 }\n    login: main\n    source: { type: directory, path: s }\n`;
  expect((await load(merged)).config.feeds['south']?.priority).toBe(5);
});

test('a file that is missing, a folder, or not UTF-8 is named with what to do', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'latin.yaml'), Buffer.from('a: \xe9', 'latin1'));
  const attempt = (name: string) => loadConfig({ file: join(folder, name), env: {} });
  await expect(attempt('none.yaml')).rejects.toThrow(
    `${folder}/none.yaml  there is no configuration file here; write one, or name it with --config or OFFERLINE_CONFIG`,
  );
  await expect(attempt('.')).rejects.toMatchObject({ code: 'config' });
  await expect(attempt('latin.yaml')).rejects.toThrow('is not UTF-8 text');
});

test('the delimiter tab may be written as a word', async () => {
  const { config } = await load(`${SMALL}    dialect: { delimiter: tab }\n`);
  expect(config.feeds['north']?.dialect.delimiter).toBe('\t');
});

test('what is not there of credentials and addresses matters only where they are used', async () => {
  const text = `service: { baseUrl: "\${SERVICE}", catalogUrl: "\${CATALOG}" }
logins:
  main: { auth: { type: basic, user: "\${USER_NAME}", password: { file: no-such-file } } }
feeds:
  web: { login: main, source: { type: http, url: "\${URL}", auth: { type: bearer, token: "\${EMPTY}" } } }
  box: { login: main, source: { type: sftp, host: "\${HOST}", path: /out, auth: { type: basic, user: a, password: "\${P}" } } }
`;
  const file = configFile(text);
  const env = { EMPTY: '' };
  const { config, sandbox } = await loadConfig({ file, env, credentials: 'unused' });
  expect(Object.keys(config.feeds)).toEqual(['web', 'box']);
  expect(sandbox).toBe(false);
  const all = await loadConfig({ file, env }).catch((error: unknown) => error);
  for (const what of ['SERVICE', 'CATALOG', 'USER_NAME', 'no-such-file', 'URL', 'EMPTY', 'HOST', 'P'])
    expect(String(all)).toContain(what);
  const mistake = configFile(text.replace('type: sftp', 'type: sfpt'));
  await expect(loadConfig({ file: mistake, env, credentials: 'unused' })).rejects.toThrow('expected one of');
});
