import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { assertHome } from '../../../src/app/assert-home.ts';
import { messageOf } from '../../../src/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { load } from '../config-file.ts';

const folder = tempFolder();
beforeAll(() => {
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'password'), 'winter\n');
});

/** Warnings as `LINE:COLUMN PATH`, with what they say of the credential. */
async function warned(text: string, env: NodeJS.ProcessEnv = {}): Promise<[string, string][]> {
  const { warnings } = await load(text, env);
  return warnings.map(({ line, column, path, message }) => [`${line}:${column} ${path}`, message]);
}

test('credentials that are words or short are warnings with their place, and are not shown', async () => {
  const config = `logins:
  main: { auth: { type: basic, user: shop, password: demo } }
  fine: { auth: { type: bearer, token: 9fK2xLq07TzB41Wv } }
feeds:
  north:
    login: main
    source:
      type: http
      url: https://supplier.example/list?page=1&token=spring
      headers: { Accept: text/csv, X-Api-Key: autumn }
      auth: { type: basic, user: shop, password: { file: ${join(folder, 'password')} } }
      login: { url: https://supplier.example/in, fields: { language: de, Password: Sommer2024 } }
  south:
    login: fine
    source: { type: ftp, host: ftp.example, auth: { type: basic, user: u, password: '\${SOUTH}' }, path: /out }
`;
  const found = await warned(config, {
    SOUTH: 'p-2024',
    REDIS_URL: 'redis://:redis@127.0.0.1',
    SMTP_URL: 'smtp://mail',
  });
  expect(found.map(([place]) => place)).toEqual([
    '0:0 REDIS_URL',
    '2:54 logins.main.auth.password',
    '9:12 feeds.north.source.url',
    '10:47 feeds.north.source.headers.X-Api-Key',
    '11:50 feeds.north.source.auth.password',
    '12:84 feeds.north.source.login.fields.Password',
    '15:85 feeds.south.source.auth.password',
  ]);
  for (const [, message] of found)
    expect(message).toMatch(/^(this credential|a credential in this address) is short or/);
  const words = /demo|spring|autumn|winter|Sommer|p-2024|redis:/;
  expect(found.map(([, message]) => message).join()).not.toMatch(words);
});

test('a random credential, and what is no credential, are no warnings', async () => {
  const source = `{ type: http, url: 'https://supplier.example/list?page=2', headers: { Accept: text/csv } }`;
  const auth = '{ type: basic, user: shop, password: Tr0ub4dor-and-3 }';
  expect(
    await warned(
      `logins: { main: { auth: ${auth} }, other: {} }\nfeeds: { north: { login: main, source: ${source} } }`,
    ),
  ).toEqual([]);
});

test('passwords that are words of a message or a path leave both whole', async () => {
  const logins = ['demo', 'home', 'ledger', 'offerline'].map(
    (word) => `${word}: { auth: { type: basic, user: shop, password: ${word} } }`,
  );
  const loaded = await load(`logins: { ${logins.join(', ')} }\nfeeds: {}`);
  const home = join(folder, 'demo', '.offerline');
  const error: unknown = await assertHome({ ...loaded, home }).catch((thrown: unknown) => thrown);
  expect(messageOf(error)).toContain(`There is no ledger in ${home}, so nothing is known here.`);
  expect(messageOf(error)).toContain('--home');
  expect(messageOf(error)).not.toContain('[secret]');
});
