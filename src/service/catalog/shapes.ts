import { z } from 'zod';

/** A list that may be missing or null: it is then empty, because XML does not distinguish the two. */
export function listed<S extends z.ZodType>(element: S) {
  return z
    .array(element)
    .nullish()
    .transform((all) => all ?? []);
}

/**
 * A record with attributes. Without names asked for (`localized`), keys and values stand in the record itself: those that
 * the record has beside its own fields then become its attributes. Null is the same as missing, as in XML.
 */
export function atRecordLevel<S extends z.ZodObject>(record: S) {
  return z.preprocess((given) => {
    if (!isRecord(given)) return given;
    const present = Object.entries(given).filter(([, value]) => value !== null);
    if (present.some(([key]) => key === 'attributes')) return Object.fromEntries(present);
    const isAttribute = ([key, value]: [string, unknown]) => !Object.hasOwn(record.shape, key) && isPlain(value);
    const attributes = present.filter(isAttribute).map(([key, value]) => ({ key, value }));
    return { ...Object.fromEntries(present.filter((one) => !isAttribute(one))), attributes };
  }, record);
}

/** One record, also where it came as a list of one. */
export function oneOrFirst<S extends z.ZodType>(record: S) {
  return z.preprocess((given) => {
    const inner = inside(given);
    return Array.isArray(inner) && inner.length === 1 ? (inner[0] as unknown) : inner;
  }, record);
}

/** A list as the document shows it, also where it is wrapped in `data` as in group A. */
export function unwrapped<S extends z.ZodType>(list: S) {
  return z.preprocess(inside, list);
}

function inside(given: unknown): unknown {
  return isRecord(given) && Object.hasOwn(given, 'data') ? given['data'] : given;
}

function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
