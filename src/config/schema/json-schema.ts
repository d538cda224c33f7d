import { z } from './zod.ts';
import { own } from '../../io/dictionary.ts';
import { valueAt } from '../read/path.ts';
import { configSchema } from './schema.ts';

/** A JSON Schema, as far as this program reads it. */
export type JsonSchema = {
  type?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  /** A setting that is secret. */
  writeOnly?: boolean;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
};

/** The JSON Schema of `offerline.yaml` as users write it, for editors and for `config schema`. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input' });
  return { $schema, title: 'offerline configuration', ...schema };
}

/** The keys that may stand in the map `value`, which a schema describes; of several shapes, the one its `type` names. */
export function knownKeys(schema: JsonSchema, path: readonly (string | number)[], value: unknown): string[] {
  const [step, ...rest] = path;
  const shapes = shapesFor(schema, value);
  if (step === undefined) return shapes.flatMap((shape) => Object.keys(shape.properties ?? {}));
  return shapes.flatMap((shape) => {
    const extra = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined;
    const next = typeof step === 'number' ? shape.items : (own(shape.properties ?? {}, step) ?? extra);
    return next === undefined ? [] : knownKeys(next, rest, valueAt(value, [step]));
  });
}

/** The shapes that a value can have by a schema; of several, the one its `type` names. */
export function shapesFor(schema: JsonSchema, value: unknown): JsonSchema[] {
  const shapes = (schema.anyOf ?? schema.oneOf ?? [schema]).filter((shape) => shape.type !== 'null');
  const kind = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined;
  const chosen = shapes.filter((shape) => shape.properties?.['type']?.const === kind);
  return kind === undefined || chosen.length === 0 ? shapes : chosen;
}
