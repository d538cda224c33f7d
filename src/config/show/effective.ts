import { own } from '../../io/dictionary.ts';
import type { Path } from '../read/path.ts';
import { configJsonSchema, shapesFor, type JsonSchema } from '../schema/json-schema.ts';
import { feedColumns, type ShownAcceptance } from './feed-columns.ts';
import { originOf, placeOf, type Setting, type Source } from './setting.ts';
import type { FindWritten } from './written.ts';

const DEFAULT = 'default';

/**
 * The settings that are in effect for a feed, each with where it comes from: the file and line, a default, or the person who
 * accepted a column. In the order of the schema; what is neither set nor has a default is left out. Pure.
 */
export function effectiveSettings(feed: string, accepted: ShownAcceptance[], source: Source): Setting[] {
  const { login } = source.config.feeds[feed]!;
  const schema = configJsonSchema() as JsonSchema;
  const at = (path: Path, without: string[] = []) => settingsAt(schemaAt(schema, path, source), path, source, without);
  return [
    ...at(['offer'], ['columns']).map((setting) => withoutEffect(setting, source)),
    ...offerColumns(source),
    ...at(['brands']),
    ...at(['logins', login], ['guard', 'alarm']),
    ...at(['feeds', feed], ['columns', 'guard', 'alarm']),
    ...feedColumns(feed, accepted, source),
    ...['guard', 'alarm'].flatMap((name) => inherited(name, { feed, login, schema }, source)),
    ...at(['limits']),
  ];
}

/** Nothing is cut at the delimiter of a txt file; pasted it would be warned of. */
function withoutEffect(setting: Setting, { config }: Source): Setting {
  return config.offer.layout === 'csv' || setting.path.at(-1) !== 'delimiter' ? setting : { ...setting, shown: false };
}

function schemaAt(root: JsonSchema, path: Path, { written }: Source): JsonSchema {
  let schema = root;
  for (const [index, step] of path.entries()) {
    const shape = mapShape(schema, typeOf(written, path.slice(0, index)));
    const extra = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : {};
    schema = own(shape.properties ?? {}, String(step)) ?? extra;
  }
  return schema;
}

/** The shape of a map that may also be a text. */
function mapShape(schema: JsonSchema, value: { type?: unknown } | undefined): JsonSchema {
  const shapes = shapesFor(schema, value);
  return shapes.find((shape) => shape.properties !== undefined) ?? shapes[0] ?? {};
}

/** What chooses among the shapes of a map. */
function typeOf(written: FindWritten, path: Path): { type?: unknown } | undefined {
  const type = written([...path, 'type']);
  return type?.kind === 'value' ? { type: type.value } : undefined;
}

/** All settings at or under a path. */
function settingsAt(schema: JsonSchema, path: Path, source: Source, without: string[] = []): Setting[] {
  const found = source.written(path);
  const shape = mapShape(schema, typeOf(source.written, path) ?? asType(schema.default));
  // What any value may stand in is shown as it is written.
  const isOpen = typeof shape.additionalProperties === 'object' || Object.keys(shape).length === 0;
  if (found === null || found.kind === 'map') {
    const isLeaf = shape.properties === undefined && (found === null || !isOpen);
    if (isLeaf || (found === null && schema.default === undefined)) {
      return schema.default === undefined ? [] : [{ path, value: schema.default, from: DEFAULT, shown: true }];
    }
    if (found === null && typeof asType(schema.default)?.type === 'string')
      return [{ path, value: schema.default, from: DEFAULT, shown: true }];
    const names = isOpen && found !== null ? found.keys : Object.keys(shape.properties ?? {});
    return names
      .filter((name) => !without.includes(name))
      .flatMap((name) => settingsAt(schemaAt(schema, [name], under(source, path)), [...path, name], source));
  }
  if (found.kind === 'list') {
    if (found.length === 0) return [{ path, value: [], from: placeOf(found, source), shown: true }];
    const items = Array.from({ length: found.length }, (_, index) => index);
    return items.flatMap((index) => settingsAt(shape.items ?? {}, [...path, index], source));
  }
  return [{ path, value: found.value, from: placeOf(found, source), shown: found.kind === 'value' }];
}

function under({ written, ...source }: Source, above: Path): Source {
  return { ...source, written: (path) => written([...above, ...path]) };
}

function asType(value: unknown): { type?: unknown } | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

function offerColumns(source: Source): Setting[] {
  const removed = (key: string) => !Object.hasOwn(source.config.offer.columns, key);
  const all = source.written(['offer', 'columns']);
  const nulls = all?.kind === 'map' ? all.keys.filter(removed) : [];
  return [
    ...Object.entries(source.config.offer.columns).flatMap(([key, column]) => {
      const names: Path = ['offer', 'columns', key, 'names'];
      const flags: Setting[] = (['required', 'list'] as const).map((name) => {
        const path = ['offer', 'columns', key, name];
        return { path, value: column[name], from: originOf(path, source) ?? DEFAULT, shown: true };
      });
      return flags.concat(source.written(names) === null ? [] : settingsAt({}, names, source));
    }),
    ...nulls.map((key) => {
      const path = ['offer', 'columns', key];
      return { path, value: null, from: originOf(path, source) ?? DEFAULT, shown: true };
    }),
  ];
}

type Of = { feed: string; login: string; schema: JsonSchema };

/** The feed's own over its login's. */
function inherited(name: string, { feed, login, schema }: Of, source: Source): Setting[] {
  const ofLogin = settingsAt(schemaAt(schema, ['logins', login, name], source), ['logins', login, name], source);
  const ofFeed = settingsAt(schemaAt(schema, ['feeds', feed, name], source), ['feeds', feed, name], source);
  const rest = ofLogin.filter(({ path }) => !ofFeed.some((one) => one.path.at(-1) === path.at(-1)));
  const under: Path = ['feeds', feed, name];
  const taken = rest.map(({ path, value, from, shown }) => {
    const by = from === DEFAULT ? from : `login ${login}, ${from}`;
    return { path: under.concat(path.slice(3)), value, from: by, shown };
  });
  return [...ofFeed, ...taken];
}
