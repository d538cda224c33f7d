import { type Path, valueAt } from '../read/path.ts';
import { own } from '../../io/dictionary.ts';
import { configJsonSchema, type JsonSchema, shapesFor } from './json-schema.ts';

/** Whether a path of the configuration holds a credential. */
export type IsSecret = (path: Path) => boolean;

/**
 * Finds what is secret in a configuration as it is written, by the marks of the schema: a marked setting and all of a marked list,
 * whatever stands there, and what stands in place of a map that has to hold one. The path of a file with a credential is none.
 */
export function secretPaths(written: unknown): IsSecret {
  let root: JsonSchema | undefined;
  return (path) => {
    root ??= configJsonSchema() as JsonSchema;
    let shapes = [root];
    for (const [at, step] of path.entries()) {
      const value = valueAt(written, path.slice(0, at));
      const here = shapes.flatMap((shape) => shapesFor(shape, value));
      if (Array.isArray(value) && here.some(({ type, writeOnly }) => writeOnly === true && type === 'array'))
        return true;
      shapes = here.flatMap((shape) => under(shape, step));
    }
    const ends = shapes.flatMap((shape) => shapesFor(shape, valueAt(written, path)));
    return ends.some((shape) => isMarked(shape) || needsSecret(shape));
  };
}

function under({ properties = {}, additionalProperties, items }: JsonSchema, step: string | number): JsonSchema[] {
  const extra = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const next = typeof step === 'number' ? items : (own(properties, step) ?? extra);
  return next === undefined ? [] : [next];
}

function isMarked({ writeOnly, anyOf = [] }: JsonSchema): boolean {
  return writeOnly === true || anyOf.some(isMarked);
}

/** A map that cannot be without a credential: nobody writes anything else in its place. */
function needsSecret({ properties = {}, required = [], additionalProperties }: JsonSchema): boolean {
  if (typeof additionalProperties === 'object' && isMarked(additionalProperties)) return true;
  return required.some((name) => isMarked(own(properties, name) ?? {}));
}
