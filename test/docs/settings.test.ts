import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultIn, listedOn } from '../../scripts/generate/listed.ts';
import { configJsonSchema } from '../../src/config/schema/json-schema.ts';
import { configSchema } from '../../src/config/schema/schema.ts';
import { languages } from '../../src/wording/language/language.ts';

type Schema = {
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
};

const page = readFileSync('docs/reference/configuration.md', 'utf8');
const rows = listedOn('reference/configuration.md').flatMap(({ names, note, text }) =>
  names.map((path) => ({ path, fallback: defaultIn(note), meaning: text })),
);

/** Settings of which the page says that they are shaped like another one. */
const ALIKE = { 'feeds.NAME.guard': 'logins.NAME.guard' };

test('docs/reference/configuration.md shows every setting with its default, and no others', () => {
  const existing = new Map(settingsOf(configJsonSchema()));
  const alike = Object.keys(ALIKE).flatMap((path) => [...existing.keys()].filter((key) => key.startsWith(`${path}.`)));
  for (const path of alike) existing.delete(path);
  const shown = rows
    .filter(({ path }) => !(path in ALIKE) && !/^[A-Z_]+$/.test(path))
    .map(({ path, fallback }) => [path, fallback]);
  expect(Object.fromEntries(shown)).toEqual({ ...Object.fromEntries(existing), 'logins.NAME.auth.type': '`none`' });
});

test('docs/reference/configuration.md and the README name every language', () => {
  const named = rows.find(({ path }) => path === 'mail.language')?.meaning ?? '';
  const codes = [...named.matchAll(/`([a-z]{2})`/g)].map(([, code]) => code);
  expect(codes).toEqual(languages());
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  const names = languages().map((code) => english.of(code)!);
  expect(readFileSync('README.md', 'utf8')).toContain(`(\`managers[].language\`: ${names.toSorted().join(', ')})`);
});

test('settings that the page says to be alike are', () => {
  const paths = [...new Map(settingsOf(configJsonSchema())).keys()];
  const under = (path: string) =>
    paths.filter((key) => key.startsWith(`${path}.`)).map((key) => key.slice(path.length));
  for (const [path, other] of Object.entries(ALIKE)) {
    expect(rows.find((row) => row.path === path)?.meaning).toContain(`as \`${other}\``);
    expect(under(path)).toEqual(under(other));
  }
});

test('docs/reference/configuration.md lists the kinds of source, and of their credentials', () => {
  const kinds = sourceKinds();
  expect([...kinds.keys()]).toContain('webdav');
  const [listed = ''] = meaningOf('feeds.NAME.source.type').split(';');
  expect(codesIn(listed).sort()).toEqual([...kinds.keys()].sort());
  const shown = meaningOf('feeds.NAME.source.auth.type').split(/; of |\. Of /u);
  const ofKinds = shown.slice(1).flatMap((text) => {
    const [names = '', types = ''] = text.split(/:(.*)/u);
    return codesIn(names).map((kind): [string, string[]] => [
      kind,
      codesIn(types)
        .filter((it) => it !== 'url')
        .sort(),
    ]);
  });
  const withAuth = [...kinds].flatMap(([kind, { auth }]): [string, string[]][] =>
    auth === undefined ? [] : [[kind, typesOf(auth).sort()]],
  );
  expect(Object.fromEntries(ofKinds)).toEqual(Object.fromEntries(withAuth));
});

test('docs/reference/configuration.md says of each setting of sources which kinds have it', () => {
  const kinds = sourceKinds();
  const settings = rows.flatMap(({ path, meaning }) => {
    const [, name] = /^feeds\.NAME\.source\.(\w+)/u.exec(path) ?? [];
    const [, but, names] = /^of (all but )?((?:`\w+`(?:, | and )?)+)/u.exec(meaning) ?? [];
    if (name === undefined || names === undefined || path.includes('.auth.')) return [];
    const said = codesIn(names);
    return [{ name, said: but === undefined ? said : [...kinds.keys()].filter((kind) => !said.includes(kind)) }];
  });
  expect(settings.length).toBeGreaterThan(20);
  for (const { name, said } of settings) {
    const having = [...kinds].flatMap(([kind, properties]) => (name in properties ? [kind] : []));
    const refused = REFUSED[name] ?? [];
    expect([name, ...said, ...refused].sort()).toEqual([name, ...having].sort());
  }
});

test('docs/reference/configuration.md shows the columns that are there without being written', () => {
  const example = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
  const columns = configSchema.parse({ ...(parse(example) as object), logins: {}, feeds: {} }).offer.columns;
  expect(columns).toEqual(configSchema.parse({ logins: {}, feeds: {} }).offer.columns);
  expect(Object.keys((parse(example) as { offer: { columns: object } }).offer.columns)).toEqual(Object.keys(columns));
});

test('docs/reference/configuration.md lists every environment variable', () => {
  const sources = ['src/config/load.ts', 'src/cli/io.ts'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const read = [...sources.matchAll(/\benv\['([A-Z_]+)'\]/g)];
  expect(read.length).toBeGreaterThan(5);
  for (const [, name] of read) expect(page).toContain(`\`${name}\``);
});

/** Settings that a kind has only to be told why not. */
const REFUSED: Record<string, string[]> = { after: ['http'], result: ['drive', 'graph', 'http', 'mail'] };

/** The settings of each kind of source, by the kind's name. */
function sourceKinds(): Map<string, Record<string, Schema>> {
  const feed = (configJsonSchema() as Schema).properties?.['feeds'] as Schema;
  const source = (feed.additionalProperties as Schema).properties?.['source'];
  return new Map((source?.oneOf ?? []).map(({ properties = {} }) => [String(properties['type']?.const), properties]));
}

function typesOf({ oneOf = [] }: Schema): string[] {
  return oneOf.map(({ properties }) => String(properties?.['type']?.const));
}

function meaningOf(path: string): string {
  return rows.find((row) => row.path === path)?.meaning ?? '';
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/gu)].map(([, code]) => code ?? '');
}

/** Path and default of every setting of a schema; `NAME` stands for the user's own names, `[]` for a list's members. */
function settingsOf(schema: Schema, path = '', isRequired = false): [string, string][] {
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const shapes = schema.anyOf ?? schema.oneOf ?? [];
  const maps = shapes.filter((shape) => shape.properties !== undefined);
  // A credential may be a text or the place of one: that is one setting.
  const isCredential = shapes.length > maps.length && maps.some((shape) => 'file' in (shape.properties ?? {}));
  if (maps.length > 0 && !isCredential) {
    const isLeafToo = shapes.length > maps.length;
    return [...(isLeafToo ? [leaf(schema, path, isRequired)] : []), ...maps.flatMap((map) => settingsOf(map, path))];
  }
  if (typeof schema.additionalProperties === 'object') return settingsOf(schema.additionalProperties, at('NAME'));
  if (schema.items?.properties !== undefined) return settingsOf(schema.items, `${path}[]`);
  if (schema.properties === undefined) return [leaf(schema, path, isRequired)];
  return Object.entries(schema.properties).flatMap(([key, inner]) =>
    settingsOf(inner, at(key), schema.required?.includes(key) === true),
  );
}

function leaf(schema: Schema, path: string, isRequired: boolean): [string, string] {
  if (isRequired) return [path, 'required'];
  if (schema.default === undefined) return [path, '—'];
  const written = schema.default as string | number | boolean | string[];
  return [path, `\`${Array.isArray(written) ? `[${written.join(', ')}]` : written}\``];
}
