import { own } from '../../io/dictionary.ts';
import { acceptanceInWords } from '../../wording/columns/accepted-column.ts';
import type { AcceptedColumns } from '../../model.ts';
import type { Path } from '../read/path.ts';
import { configJsonSchema, shapesFor, type JsonSchema } from '../schema/json-schema.ts';
import type { Config } from '../schema/schema.ts';
import type { FindWritten, Written } from './written.ts';

/** A setting in effect. `shown`: false where the value cannot be pasted: it is secret, or a remark. */
export type Setting = { path: Path; value: unknown; from: string; shown: boolean };

/** Where settings are looked up. */
type Source = { config: Config; written: FindWritten; file: string };

const DEFAULT = 'default';

/**
 * The settings that are in effect for a feed, each with where it comes from: the file and line, a default, or the person who
 * accepted a column. In the order of the schema; what is neither set nor has a default is left out. Pure.
 */
export function effectiveSettings(feed: string, accepted: AcceptedColumns[], source: Source): Setting[] {
  const { login } = source.config.feeds[feed]!;
  const schema = configJsonSchema() as JsonSchema;
  const at = (path: Path, without: string[] = []) => settingsAt(schemaAt(schema, path, source), path, source, without);
  return [
    ...at(['offer'], ['columns']),
    ...offerColumns(source),
    ...at(['logins', login], ['guard', 'alarm']),
    ...at(['feeds', feed], ['columns', 'guard', 'alarm']),
    ...feedColumns(feed, accepted, source),
    ...['guard', 'alarm'].flatMap((name) => inherited(name, { feed, login, schema }, source)),
    ...at(['limits']),
  ];
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
  const isOpen = typeof shape.additionalProperties === 'object';
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

function placeOf({ line }: Written, { file }: Pick<Source, 'file'>): string {
  return `${file}:${line}`;
}

function originOf(path: Path, source: Source): string | null {
  const found = source.written(path);
  return found === null ? null : placeOf(found, source);
}

function offerColumns(source: Source): Setting[] {
  const removed = (key: string) => !Object.hasOwn(source.config.offer.columns, key);
  const all = source.written(['offer', 'columns']);
  const nulls = all?.kind === 'map' ? all.keys.filter(removed) : [];
  return [
    ...Object.entries(source.config.offer.columns).flatMap(([key, column]) =>
      (['required', 'list'] as const).map((name) => {
        const path = ['offer', 'columns', key, name];
        return { path, value: column[name], from: originOf(path, source) ?? DEFAULT, shown: true };
      }),
    ),
    ...nulls.map((key) => {
      const path = ['offer', 'columns', key];
      return { path, value: null, from: originOf(path, source) ?? DEFAULT, shown: true };
    }),
  ];
}

/** The names that find each column, or its position, and what people accepted. */
function feedColumns(feed: string, accepted: AcceptedColumns[], source: Source): Setting[] {
  return Object.keys(source.config.offer.columns).flatMap((key) => {
    const path: Path = ['feeds', feed, 'columns', key];
    const people = acceptedOf(key, accepted);
    const spelled = own(source.config.feeds[feed]?.columns ?? {}, key);
    if (typeof spelled !== 'number') return namesOf(path, people, source);
    const set: Setting = { path, value: spelled, from: originOf(path, source) ?? DEFAULT, shown: true };
    return [set].concat(
      people.map((one) => ({ path, value: one.value, from: `${one.from}; gives way`, shown: false })),
    );
  });
}

type Accepted = { value: string | number; from: string };

/** All names that find a column; positions that were accepted for files without a header are remarks. */
function namesOf(path: Path, people: Accepted[], source: Source): Setting[] {
  const [, feed = '', , key = ''] = path.map(String);
  const spelled = own(source.config.feeds[feed]?.columns ?? {}, key) ?? [];
  const ofOffer: Path = ['offer', 'columns', key, 'names'];
  const common = source.config.offer.columns[key]?.names ?? [];
  const all = [
    { value: key, from: 'the key itself' },
    ...common.map((value, at) => ({ value, from: originOf(ofOffer.concat(at), source) ?? DEFAULT })),
    ...[spelled].flat().map((value, at) => {
      return { value, from: originOf(path.concat(at), source) ?? originOf(path, source) ?? DEFAULT };
    }),
    ...people.filter(({ value }) => typeof value === 'string'),
  ];
  const distinct = all.filter(({ value }, at) => all.findIndex((other) => other.value === value) === at);
  const positions = people.filter(({ value }) => typeof value === 'number');
  return [
    ...distinct.map(({ value, from }, at) => ({ path: path.concat(at), value, from, shown: true })),
    ...positions.map(({ value, from }) => ({ path, value, from, shown: false })),
  ];
}

function acceptedOf(key: string, accepted: AcceptedColumns[]): Accepted[] {
  return accepted.flatMap((acceptance) =>
    acceptance.columns
      .filter((one) => one.key === key)
      .map(({ column, position }) => ({ value: column ?? position, from: acceptanceInWords(acceptance) })),
  );
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
