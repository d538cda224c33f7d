import { z } from 'zod';
import { names } from '../../config/schema/names.ts';

/** What a parameter holds, and how a text of the command line becomes it; null when the text is no such thing. */
export type Kind<S extends z.ZodType = z.ZodType> = {
  shown: string;
  schema: S;
  read: (text: string) => unknown;
  choices?: readonly string[];
};

const MAX_INT32 = 2_147_483_647;
const NO_ID = 'expected an id (a whole number)';
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Any text that is not empty. */
export const text = {
  shown: 'text',
  schema: z.string({ error: 'expected a text' }).min(1, 'expected a text that is not empty'),
  read: (written: string) => written,
} satisfies Kind;

/** An int64 identifier: digits as text, or a number that loses none of them; sent as its digits. */
export const id = {
  shown: 'id',
  schema: z
    .union([z.string().regex(/^-?\d{1,19}$/, NO_ID), z.int(NO_ID), z.bigint()], { error: NO_ID })
    .transform(String)
    .refine((digits) => BigInt(digits) >= INT64.min && BigInt(digits) <= INT64.max, 'expected an id of 64 bits'),
  read: (written: string) => written,
} satisfies Kind;

/** A whole number of 32 bits that is not below the least one. */
function whole(least: number) {
  const error = `expected a whole number from ${least} to ${MAX_INT32}`;
  return {
    shown: 'whole number',
    schema: z.int({ error }).min(least, error).max(MAX_INT32, error),
    read: (written: string) => (/^-?\d+$/.test(written) ? Number(written) : written),
  } satisfies Kind;
}

/** True or false. */
export const flag = {
  shown: 'true or false',
  schema: z.boolean({ error: 'expected true or false' }),
  read: (written: string) => (written === 'true' || written === 'false' ? written === 'true' : written),
  choices: ['true', 'false'],
} satisfies Kind;

/** A language and a country, such as en_US. */
export const locale = {
  shown: 'locale',
  schema: z
    .string({ error: 'expected a locale such as en_US' })
    .regex(/^[a-z]{2}_[A-Z]{2}$/, 'expected a locale such as en_US'),
  read: (written: string) => written,
} satisfies Kind;

/** Several texts; on the command line separated by commas. */
export const texts = {
  shown: 'texts',
  schema: z.array(text.schema, { error: 'expected a list of texts' }).min(1, 'expected at least one text').readonly(),
  read: (written: string) => written.split(',').map((one) => one.trim()),
} satisfies Kind;

/** Several texts, each once. */
export const uniqueTexts = {
  ...texts,
  schema: texts.schema.refine((all) => new Set(all).size === all.length, 'expected each text once'),
} satisfies Kind;

/** One of some words. */
export function oneOf<const W extends readonly [string, ...string[]]>(words: W) {
  return {
    shown: words.join(' | '),
    schema: z.enum(words, { error: `expected one of ${words.join(', ')}` }),
    read: (written: string) => written,
    choices: words,
  } satisfies Kind;
}

/** Texts by name: what an operation of a catalog asks for. */
export const fields = {
  shown: 'fields',
  schema: names(z.string().min(1), z.string({ error: 'expected a text' })),
  read: (written: string) => written,
} satisfies Kind;

/** What is known of a parameter besides its schema. */
export type About = { description: string; default?: string; kind: Kind };

/** What was said of each parameter, by its schema. */
const abouts = new WeakMap<z.ZodType, About>();

/** A parameter that must be given. */
export function required<S extends z.ZodType>(kind: Kind<S>, description: string): S {
  return remember(kind.schema.clone(), { description, kind });
}

/** A parameter that may be left out; `fallback` is what the service then takes. */
export function optional<S extends z.ZodType>(kind: Kind<S>, description: string, fallback?: string): z.ZodOptional<S> {
  return remember(z.optional(kind.schema), about(kind, description, fallback));
}

/** A parameter that may be left out or null. */
export function nullable<S extends z.ZodType>(
  kind: Kind<S>,
  description: string,
  fallback?: string,
): z.ZodOptional<z.ZodNullable<S>> {
  const read = (written: string) => (written === 'null' ? null : kind.read(written));
  return remember(z.nullish(kind.schema), about({ ...kind, read }, description, fallback));
}

function about(kind: Kind, description: string, fallback: string | undefined): About {
  return { description, kind, ...(fallback === undefined ? {} : { default: fallback }) };
}

function remember<S extends z.ZodType>(schema: S, known: About): S {
  abouts.set(schema, known);
  return schema;
}

/** The parameters of operations with pages. */
export const pageParameters = {
  page: optional(whole(0), 'number of the page, from 0', '0'),
  size: optional(whole(1), 'elements of a page', '20'),
};

/** A parameter as lists and completion show it. */
export type Parameter = About & { name: string; required: boolean; isId: boolean };

/** The parameters of an operation, in their order. */
export function parametersOf(schema: z.ZodObject): Parameter[] {
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.entries(shape).map(([name, one]) => {
    const known = abouts.get(one);
    if (known === undefined) throw new TypeError(`the parameter ${name} was made by none of these functions`);
    return Object.assign(
      { name, required: !(one instanceof z.ZodOptional), isId: known.kind.shown === id.shown },
      known,
    );
  });
}
