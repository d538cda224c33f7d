import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../src/errors.ts';
import { load, problemsOf } from './config-file.ts';
import { repetitions } from '../support/repetitions.ts';

test('all problems of a configuration are named at once, in the order of the file', async () => {
  const text = `service:
  timeout: 30
  pol: {}
logins:
  main:
    auth: { type: basic, user: shop, password: "\${NOPE}" }
    gaurd: { minRows: 1 }
  other: { auth: { type: basik } }
feeds:
  north:
    login: mian
    source: { type: directory, path: inbox }
    schedule: { cron: "0 6 * *", timezone: Europe/Berln }
    columns: { bran: [x] }
    onBadRow: dropp
  south:
    login: main
    source: { type: http }
managers:
  - { email: nobody, feeds: [nort] }
`;
  expect(await problemsOf(text)).toEqual([
    '2:12 service.timeout expected a duration such as 250ms, 5s, 15m, 2h or 14d, found 30',
    '3:3 service.pol unknown key; did you mean "poll"?',
    '6:48 logins.main.auth.password the environment variable NOPE is not set; set it, or write ${NOPE:-default}',
    '7:5 logins.main.gaurd unknown key; did you mean "guard"?',
    '8:26 logins.other.auth.type expected one of none, basic, bearer, header, found "basik"',
    '11:12 feeds.north.login there is no "mian" in logins; did you mean "main"?',
    '13:23 feeds.north.schedule.cron "0 6 * *" has 4 fields; write minute, hour, day, month, weekday, such as "0 6 * * *" for six every morning',
    '13:44 feeds.north.schedule.timezone unknown time zone "Europe/Berln"; write one such as Europe/Berlin or UTC',
    '14:16 feeds.north.columns.bran there is no "bran" in offer.columns; did you mean "brand"?',
    '15:15 feeds.north.onBadRow expected one of drop, reject-file, found "dropp"',
    '18:5 feeds.south.source.url is missing; expected an address that starts with http:// or https://',
    '20:14 managers[0].email expected a mail address such as ops@example.com, found "nobody"',
    '20:30 managers[0].feeds[0] there is no "nort" in feeds; did you mean "north"?',
  ]);
});

test('the error prints one line per problem: FILE:LINE:COL  PATH  message', async () => {
  const error = (await load('logins: {}\nfeeds: 5\n').catch((error: unknown) => error)) as OfferlineError;
  expect(error).toMatchObject({ code: 'config' });
  expect(error.message).toMatch(/^\/.+offerline\.yaml:2:8 {2}feeds {2}expected a map \(key: value\), found 5$/);
});

test('a file that says nothing lacks logins and feeds', async () => {
  for (const text of ['', '# nothing\n', '---\n']) {
    expect((await problemsOf(text)).map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([
      'logins is missing; expected a map (key: value)',
      'feeds is missing; expected a map (key: value)',
    ]);
  }
  expect(await problemsOf('[1, 2]')).toEqual(['1:1  expected a map (key: value), found several values']);
});

test.each([
  ['logins:\n  a: {}\n  a: {}\n', '3:3 logins.a the key "a" is written twice in this map; keep one'],
  ['logins:\n\ta: {}\n', '2:1  a tab indents this line; YAML is indented with spaces'],
  [
    'a:\n  b: 1\n c: 2\n',
    '3:1  the indentation does not fit the lines above; keys of one map start in the same column',
  ],
  ['a: b: c\n', '1:4  a second ": " on this line; put a value that contains ": " in quotes'],
  ['a: 1\n---\nb: 1\n', '2:1  a second document starts here ("---"); keep one document in the file'],
  ['a: {b: *c}\n', '1:8 a.b an alias (*name) without its anchor (&name); put a value that starts with "*" in quotes'],
  [
    'a: { b: ${C} }\n',
    '1:10  not valid YAML: Unexpected flow-map-start at node end; inside { } and [ ] put "${NAME}" in quotes',
  ],
  [
    `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [${Array(10).fill('*a').join()}]\nc: [${Array(20).fill('*b').join()}]\n`,
    '1:1  the aliases (*name) expand too far; write the values out',
  ],
])('syntax: %j', async (text, problem) => {
  expect(await problemsOf(text)).toEqual([problem]);
});

test('no syntax error quotes the text, which may be a credential', async () => {
  for (const value of [
    '*hunter2',
    '"a\\qhunter2"',
    'x: hunter2',
    '{ a: hunter2 ]',
    '!hunter2 {',
    '@hunter2',
    '`hunter2',
    '\n  hunter2: x: y',
  ]) {
    const problems = await problemsOf(`logins: { main: { auth: { type: bearer, token: ${value} } } }\nfeeds: {}\n`);
    expect(problems).not.toHaveLength(0);
    expect(problems.join('\n')).not.toContain('hunter2');
  }
});

test('no problem shows a credential, however wrong its place', async () => {
  const text = `logins:
  a: { auth: { type: bearer, token: [hunter2] } }
  b: { auth: hunter2 }
  c: { auth: { type: basic, user: x, password: 42, passwort: hunter2 } }
  d: { auth: { type: header, name: "X", value: "hunter2\\nx" } }
  e: { auth: { type: bearer, token: "hunter2ы" } }
  f: { auth: { type: bearer, token: "hunter2\${NOPE}" } }
feeds:
  n: { login: a, source: { type: http, url: "https://u:hunter2@example.com", headers: { A: {file: [hunter2]}, B: [hunter2] } } }
  m: { login: a, source: { type: http, url: "htp://u:hunter2@example.com?a=hunter2" } }
`;
  const problems = (await problemsOf(text)).join('\n');
  for (const path of ['a.auth.token', 'b.auth', 'c.auth.password', 'd.auth.value', 'e.auth.token', 'f.auth.token']) {
    expect(problems).toContain(`logins.${path} `);
  }
  expect(problems).toContain('feeds.n.source.url the address contains a user and password');
  expect(problems).not.toContain('42');
  expect(problems.replaceAll('"hunter2${NOPE}"', '')).not.toContain('hunter2');
});

test('interpolation: what is not a variable, and what would have to be a number', async () => {
  const text = `
logins: { main: { guard: { minRows: "\${ROWS}" }, coalesce: "\${}" } }
feeds: { n: { login: "\${a b}", source: { type: directory, path: "\${P" } } }
`;
  expect(await problemsOf(text, { ROWS: '5' })).toEqual([
    '2:37 logins.main.guard.minRows expected a number, found "${ROWS}" (from the environment, always as text)',
    '2:60 logins.main.coalesce "${}" does not name an environment variable; write ${NAME}, or $${ for the characters themselves',
    '3:22 feeds.n.login "${a b}" does not name an environment variable; write ${NAME}, or $${ for the characters themselves',
    '3:65 feeds.n.source.path "${" does not name an environment variable; write ${NAME}, or $${ for the characters themselves',
  ]);
});

test('a required value that an empty variable fills is told by the name of the variable', async () => {
  const text = `
logins: { main: { auth: { type: basic, user: u, password: "\${MAIN_PASSWORD}" } } }
feeds: {}
`;
  expect(await problemsOf(text, { MAIN_PASSWORD: '' })).toEqual([
    '2:59 logins.main.auth.password MAIN_PASSWORD is empty; set it, or write ${MAIN_PASSWORD:-default}',
  ]);
});

test('a file for a credential must exist, hold one line, and not be empty', async () => {
  const text = `
logins: { main: { auth: { type: bearer, token: { file: none } } } }
feeds: {}
`;
  expect(await problemsOf(text)).toEqual([
    expect.stringMatching(
      /^2:56 logins\.main\.auth\.token\.file \/.*\/none does not exist; put the credential into this file$/,
    ),
  ]);
});

test('names that every object has are no logins and no columns', async () => {
  const text = `
logins: { main: {} }
feeds: { n: { login: toString, source: { type: directory, path: x }, columns: { constructor: 1 } } }
`;
  expect((await problemsOf(text)).map((line) => line.split(' ')[1])).toEqual([
    'feeds.n.login',
    'feeds.n.columns.constructor',
  ]);
});

test('whatever is written, the answer is a configuration or a list of problems', async () => {
  const key = fc.constantFrom(
    'logins',
    'feeds',
    'managers',
    'offer',
    'columns',
    'main',
    'auth',
    'type',
    'source',
    'brand',
    '<<',
    'x',
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, 1, true, '', 'main', 'basic', 'directory', '${X}', '5s'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
    ),
  }));
  const check = fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const result: unknown = await load(stringify(value)).catch((error: unknown) => error);
      expect(result instanceof Error ? result : { code: 'config' }).toMatchObject({ code: 'config' });
    }),
    { numRuns: repetitions(200) },
  );
  await expect(check).resolves.toBeUndefined();
});
