import { configJsonSchema, type JsonSchema } from '../../src/config/schema/json-schema.ts';

/** Values of settings that have to be there, by their names. */
type Given = Record<string, unknown>;

/** A configuration with a canary in every setting that the schema marks as secret, in every shape that holds one. */
export type Canaries = {
  config: Record<string, unknown>;
  /** Every canary, by the path of its setting in the schema. */
  of: [path: string, canary: string][];
};

type Walk = { given: Given; of: Canaries['of']; mark: string; path: string };

/** Plants canaries that begin with `mark`. A setting that is needed and has neither a default nor a given value fails. */
export function plantCanaries(mark: string, given: Given): Canaries {
  const of: Canaries['of'] = [];
  const [config] = samples(configJsonSchema(), { given, of, mark, path: '' });
  return { config: config as Record<string, unknown>, of };
}

/** The paths of all settings that are texts, with whether they are marked. */
export function textSettings(schema = configJsonSchema() as JsonSchema, path = ''): [path: string, marked: boolean][] {
  const options = (schema.anyOf ?? schema.oneOf ?? []).flatMap((one) => textSettings(one, path));
  const extra = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const inside = Object.entries(schema.properties ?? {}).concat(extra === undefined ? [] : [['*', extra]]);
  const below = inside.flatMap(([name, one]) => textSettings(one, `${path}.${name}`));
  const list = schema.type === 'array' && schema.writeOnly !== true ? textSettings(schema.items, `${path}[]`) : [];
  const isText = schema.type === 'string' && schema.const === undefined && schema.enum === undefined;
  const own: [string, boolean][] = isText || schema.writeOnly === true ? [[path, schema.writeOnly === true]] : [];
  return [...own, ...options, ...below, ...list];
}

/** The values that a schema describes, so many that each credential stands in one of them. */
function samples(schema: JsonSchema, walk: Walk): unknown[] {
  if (schema.writeOnly === true) return schema.type === 'array' ? [['echo', canary(walk)]] : [canary(walk)];
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    const telling = options.filter(holdsSecret);
    return (telling.length === 0 ? options.slice(0, 1) : telling).flatMap((one) => samples(one, walk));
  }
  if (schema.const !== undefined) return [schema.const];
  const name = walk.path.split('.').at(-1)!;
  if (schema.properties !== undefined) return objects(schema, walk);
  if (typeof schema.additionalProperties === 'object') {
    const all = samples(schema.additionalProperties, { ...walk, path: `${walk.path}.*` });
    return [Object.fromEntries(all.map((one, at) => [`${name}${at}`, one]))];
  }
  if (schema.type === 'array' && schema.items !== undefined && holdsSecret(schema.items))
    return [samples(schema.items, { ...walk, path: `${walk.path}[]` })];
  if (Object.hasOwn(walk.given, name)) return [walk.given[name]];
  throw new Error(`Give a value for ${walk.path}, which has to be there.`);
}

/** One object for each value of the setting that has most of them. */
function objects({ properties = {}, required = [] }: JsonSchema, walk: Walk): Record<string, unknown>[] {
  const names = Object.keys(properties).filter((name) => required.includes(name) || holdsSecret(properties[name]!));
  const values = names.map((name) => samples(properties[name]!, { ...walk, path: `${walk.path}.${name}` }));
  const most = Math.max(1, ...values.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) =>
    Object.fromEntries(names.map((name, column) => [name, values[column]![at % values[column]!.length]])),
  );
}

function holdsSecret({ writeOnly, anyOf, oneOf, properties = {}, items, additionalProperties }: JsonSchema): boolean {
  const extra = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const below = [...(anyOf ?? []), ...(oneOf ?? []), ...Object.values(properties), ...(items ? [items] : []), ...extra];
  return writeOnly === true || below.some(holdsSecret);
}

function canary({ of, mark, path }: Walk): string {
  const text = `${mark}${of.length}x9Kq/${Buffer.from(path).toString('base64url').slice(-6)}`;
  of.push([path, text]);
  return text;
}
