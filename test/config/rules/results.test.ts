import { expect, test } from 'vitest';
import { problemsOf } from '../config-file.ts';

/** A configuration with one feed, whose source is written on one line. */
function feed(source: string): string {
  return `logins: { main: {} }\nfeeds:\n  north:\n    login: main\n    source: ${source}\n`;
}

const folder = (result: string, more = '') => feed(`{ type: directory, path: in, ${more} result: ${result} }`);

test.each([
  '{}',
  '{ to: results }',
  '{ to: for us/results, name: "{name}.xlsx" }',
  '{ name: result.xlsx }',
  '{ name: "mistakes in {name}.XLSX" }',
])('result: %s is in order', async (result) => {
  expect(await problemsOf(folder(result))).toEqual([]);
});

test.each([
  ['{ name: "{name}.xlsx" }', 'result.name may be the name of the delivery itself'],
  ['{ name: "{file}_result.xlsx" }', 'result.name "{file}" stands for nothing'],
  ['{ name: "{name_result.xlsx" }', 'result.name "{name_result.xlsx" stands for nothing'],
  ['{ name: "{name}{name}_r.xlsx" }', 'result.name {name} stands in it once at most'],
  ['{ name: "out/{name}_result.xlsx" }', 'result.name is the name of a file, without folders'],
  ['{ name: "{name}_result.csv" }', 'result.name is the name of a workbook'],
  ['{ name: ".{name}_result.xlsx" }', 'result.name is the name of a workbook'],
  ['{ to: ../elsewhere }', 'result.to is a folder inside the place'],
  ['{ to: /tmp }', 'result.to is a folder inside the place'],
  ['{ to: results/ }', 'result.to is a folder inside the place'],
  ['{ to: "a\\\\b" }', 'result.to is a folder inside the place'],
  ['{ too: results }', 'result'],
])('result: %s is refused in one sentence', async (result, said) => {
  expect(await problemsOf(folder(result))).toEqual([expect.stringContaining(`feeds.north.source.${said}`)]);
});

test('a pattern that only results fit takes nothing', async () => {
  const said = [expect.stringContaining('is that of every file that fits *_result.xlsx')];
  expect(await problemsOf(folder('{}', 'pattern: "*_result.xlsx",'))).toEqual(said);
  expect(await problemsOf(folder('{ to: results }', 'pattern: "*_result.xlsx",'))).toEqual([]);
  expect(await problemsOf(folder('{}', 'files: { a: { pattern: "*_result.xlsx" }, b: { pattern: "b*" } },'))).toEqual(
    said,
  );
});

test.each([
  ['{ type: http, url: "https://a.example.com/", pattern: "*", result: {} }', 'http'],
  [
    '{ type: graph, user: me@a.example.com, path: out, auth: { type: app, tenant: t, clientId: c, clientSecret: s }, result: {} }',
    'graph',
  ],
])('where nothing can be written it is refused: %s', async (source, type) => {
  expect(await problemsOf(feed(source))).toEqual([
    expect.stringContaining(`nothing can be put into a source of type ${type}`),
  ]);
});
