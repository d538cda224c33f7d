import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { isIndex } from '../../../src/config/schema/sources/web.ts';
import { configFile, load, problemsOf } from '../config-file.ts';

const URL = 'url: "https://files.example.com/out/"';

/** A configuration with one feed, whose source is written on one line. */
function feed(source: string): string {
  return `logins: { main: {} }\nfeeds:\n  north:\n    login: main\n    source: ${source}\n`;
}

test.each([
  ['after: delete', 'HTTP can neither move nor delete files'],
  ['pattern: "*", after: move', 'HTTP can neither move nor delete files'],
  ['body: x1y2', 'is sent with method: POST only'],
  ['pattern: "*", method: POST, body: x1y2', 'a page of links is asked for with GET'],
  ['settle: 3s', 'chooses among the links of a page'],
  ['ready: "*.done"', 'chooses among the links of a page'],
  ['pattern: "out/*.csv"', 'a pattern is for names inside the folder'],
  ['login: { url: "https://a.example.com", fields: {} }', 'has no fields'],
  ['login: { url: "https://me:x1y2@a.example.com", fields: { user: me } }', 'the address contains a user and password'],
  [
    'auth: { type: oauth2, tokenUrl: "https://me:x1y2@a.example.com", clientId: me, clientSecret: x1y2 }',
    'the address contains a user and password',
  ],
  [
    'auth: { type: oauth2, tokenUrl: "https://a.example.com", clientId: me, clientSecret: x1y2 }, headers: { authorization: z3 }',
    'auth sends the header authorization too',
  ],
])('http with %s is refused', async (setting, words) => {
  expect(await problemsOf(feed(`{ type: http, ${URL}, ${setting} }`))).toEqual([expect.stringContaining(words)]);
});

test('a page of links and a WebDAV folder have the defaults of folders', async () => {
  for (const source of [`{ type: http, ${URL}, pattern: "*.csv" }`, `{ type: webdav, ${URL} }`]) {
    const { config } = await loadConfig({ file: configFile(feed(source)), env: {} });
    expect(config.feeds['north']!.source).toMatchObject({ settle: 5000, after: 'keep' });
  }
  const { config } = await loadConfig({ file: configFile(feed(`{ type: http, ${URL} }`)), env: {} });
  expect(isIndex(config.feeds['north']!.source)).toBe(false);
  expect(config.feeds['north']!.source).not.toHaveProperty('settle');
});

test('what is written into forms, bodies and for tokens is never printed', async () => {
  const source = `{ type: http, ${URL}, method: POST, body: "key=geheim1\\nsüß", login: { url: "https://a.example.com", fields: { pass: geheim2 } }, auth: { type: oauth2, tokenUrl: "https://a.example.com", clientId: me, clientSecret: geheim3 } }`;
  const { config } = await loadConfig({ file: configFile(feed(source)), env: {} });
  expect(JSON.stringify(config)).not.toContain('geheim');
  const wrong = source.replaceAll(/geheim\d/gu, (word) => `${word}\\u0007`);
  expect((await problemsOf(feed(wrong))).join()).not.toContain('geheim');
});

test('credentials without TLS are warned about, whichever address gets them', async () => {
  const login = '{ url: "http://a.example.com", fields: { pass: x1y2z3w4 } }';
  const auth = '{ type: oauth2, tokenUrl: "http://b.example.com", clientId: me, clientSecret: x1y2z3w4 }';
  const webdav = '{ type: webdav, url: "http://c.example.com", auth: { type: bearer, token: x1y2z3w4 } }';
  const warned = async (source: string) => (await load(feed(source))).warnings.map(({ message }) => message);
  expect(await warned(`{ type: http, ${URL}, login: ${login} }`)).toEqual([expect.stringContaining('a.example.com')]);
  expect(await warned(`{ type: http, ${URL}, auth: ${auth} }`)).toEqual([expect.stringContaining('b.example.com')]);
  expect(await warned(webdav)).toEqual([expect.stringContaining('c.example.com')]);
});
