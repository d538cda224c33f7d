import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { load, problemsOf } from '../config/config-file.ts';

/**
 * Objects whose keys might be names from outside, as they are written in the sources. Each is made by `dictionary` or read by
 * `own`, or stands below with the reason why `constructor` and `__proto__` cannot come to it.
 */
const PLACES =
  /(?:const|let) \w+: Record<string, [^=]+> = \{|Object\.fromEntries\(|\.reduce<Record|as Record<string, (?:number|RowCounts|string)>|z\s*\.record\(|Object\.groupBy\(/;

const OURS: Record<string, string> = {
  'src/cli/table.ts': 'the frame of a table',
  'src/cli/habits.ts': 'commands, looked up by hasOwn',
  'src/config/schema/default-columns.ts': 'the default columns, read by own',
  'src/config/parse/explain.ts': 'kinds of zod, read by own',
  'src/config/schema/names.ts': 'is the place itself',
  'src/pull/s3/listing.ts': 'the fields of a refusal, by names of our own',
  'src/columns': 'letters, looked up as a pattern found them',
  'src/detect': 'charsets, languages and delimiters, read by own',
  'src/tables/xls/run-child.ts': 'code pages by charset, read by own',
  'src/tables/package/xml/references.ts': 'the predefined entities, looked up by hasOwn',
  'src/wording/files/dialect.ts': 'line ends and delimiters of one character',
  'src/wording/language/language.ts': 'a catalogue, asked for keys of our own',
  'src/report/marked/refusals.ts': 'words of columns, read by own',
  'src/report/supplier-csv.ts': 'signs as a pattern found them',
  'src/values/currencies.ts': 'currencies, put into a map',
  'src/tables/write-xlsx/xml-text.ts': 'the entities that a pattern names',
  'src/wording/html.ts': 'the entities that a pattern names',
  'src/jobs/redis/url.ts': 'three files by names of our own',
  'src/jobs/maintenance/prune.ts': 'kinds of what is pruned',
  'src/ledger/migrate.ts': 'migrations',
  'src/ledger/schema/json-columns.ts': 'values that are only checked; what is read is the value of JSON.parse',
  'src/wording/reasons/reason.ts': 'facts by names of our own',
  'src/wording/ops/kept-said.ts': 'facts by the names of our own patterns',
  'src/wording/ops/reading-said.ts': 'line ends as detection found them',
  'src/pull/http/errors.ts': 'codes of the system',
  'src/notify/hooks/post.ts': 'codes of the system',
  'src/notify/hooks/payload.ts': 'a schema that is only shown',
  'src/pull/s3/errors.ts': 'codes of refusals, read by own',
  'src/wording/redact.ts': 'the keys of a value that is copied, never read by name',
  'src/sandbox': 'the service, with names of its own',
  'src/cli/api/plan-call.ts': 'a dictionary',
  'src/service/command/write-command.ts': 'fields, only listed',
  'src/service/command/records.ts': 'flags of catalogs, looked up by hasOwn',
  'src/service/catalog/shapes.ts': 'the fields of a record, checked by its schema',
  'src/service/call/functions.ts': 'operations',
  'src/service/call/request.ts': 'parameters, only listed',
  'src/io/text-decode.ts': 'charsets, read by own',
  'src/service/offers/upload.ts': 'two parameters',
  'src/upload/protocol/watched.ts': 'clocks by ids of our own',
  'src/access/sign-in.ts': 'kinds of what is counted',
  'src/access/look-alike.ts': 'letters, looked up as a pattern found them',
  'src/access/passwords/common.ts': 'signs, looked up as a pattern found them',
  'src/parts/several-numbers.ts': 'marks between numbers, looked up by marks of our own',
  'src/web/pages/run/downloads.ts': 'formats, looked up by hasOwn',
  'src/web/http': 'parameters, by the names in our routes',
  'src/web/api': 'operations of our own; columns and parameters are only listed',
  'src/validate': 'codes of issues, and the automata of the kernel',
};

const found = globSync('src/**/*.ts').flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((text, at) => ({ file, line: at + 1, text: text.trim() }))
    .filter(({ text }) => PLACES.test(text)),
);

test('no object has keys from outside unless it inherits nothing', () => {
  const unknown = found.filter(({ file }) => !Object.keys(OURS).some((place) => file.startsWith(place)));
  expect(unknown.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
});

test('no place is excused that is not there', () => {
  expect(Object.keys(OURS).filter((place) => !found.some(({ file }) => file.startsWith(place)))).toEqual([]);
});

test('the configuration holds what was written under any name, and nothing under the others', async () => {
  const { config } = await load(`
offer: { columns: { toString: {}, __proto__: { names: [x] } } }
logins: { constructor: { auth: { type: basic, user: u, password: "$\{constructor:-p4ssw0rd}" } } }
feeds:
  valueOf:
    login: constructor
    columns: { __proto__: hasOwnProperty }
    defaults: { toString: t, __proto__: p }
    source: { type: http, url: "http://x.test", headers: { __proto__: h, constructor: c } }
`);
  const { source } = config.feeds['valueOf']!;
  expect(Object.keys(config.offer.columns)).toEqual(['toString', '__proto__', 'brand', 'oem', 'name', 'tags']);
  expect(source.type === 'http' ? Object.keys(source.headers) : []).toEqual(['constructor', '__proto__']);
  expect(config.logins['constructor']?.auth).toMatchObject({ type: 'basic', user: 'u' });
  expect([config.feeds['constructor'], config.logins['toString'], config.offer.columns['valueOf']]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(readSettings(config, 'valueOf').columns.map(({ key, names, fallback }) => [key, names, fallback])).toEqual([
    ['toString', ['toString'], 't'],
    ['__proto__', ['__proto__', 'x', 'hasOwnProperty'], 'p'],
    ...['brand', 'oem', 'name', 'tags'].map((key) => [key, expect.any(Array), null]),
  ]);
});

test('a name that breaks the rule for names is refused, `__proto__` too', async () => {
  const source = '{ type: directory, path: . }';
  expect(
    await problemsOf(`logins: { __proto__: {} }\nfeeds: { __proto__: { login: a, source: ${source} } }\n`),
  ).toEqual([
    '1:11 logins.__proto__ expected a name of letters, digits, "-", "_" and ".", beginning with a letter or digit, at most 64 characters',
    '2:10 feeds.__proto__ expected a name of letters, digits, "-", "_" and ".", beginning with a letter or digit, at most 64 characters',
  ]);
  expect(
    await problemsOf(`logins: { a: {} }\nfeeds: { b: { login: a, defaults: { __proto__: 1 }, source: ${source} } }\n`),
  ).toEqual(['2:48 feeds.b.defaults.__proto__ expected a text, found 1']);
});
