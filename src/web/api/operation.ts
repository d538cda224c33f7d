import { z } from 'zod';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { Answer, Route, Rule } from '../route.ts';
import type { Visit } from '../visit.ts';

/** Where the API is; another version would be another address. */
export const BASE = '/api/v1';

/** What an operation is given: the parameters of its path and query, and its body, as their schemas read them. */
type Given<Query extends z.ZodObject, Body extends z.ZodObject> = {
  params: Readonly<Record<string, string>>;
  query: z.output<Query>;
  body: z.output<Body>;
};

/** An operation of the API. Its route, its check of what is given, and its description are all made from this. */
export type ApiOperation = {
  method: 'GET' | 'POST' | 'PUT';
  /** Below the base, with `{name}` for parameters. */
  path: string;
  /** Its name in the OpenAPI document. */
  id: string;
  tag: string;
  may: Rule;
  summary: string;
  query: z.ZodObject;
  body: z.ZodObject | null;
  /** Its body is a file, and its refusals are problems (RFC 9457). */
  file?: true;
  /** Its answer is a file of one of these types. */
  download?: readonly string[];
  answer: z.ZodType;
  /** Of a decision that may need a second person: its answer with status 202, which has `asked`. */
  asked?: z.ZodType;
  handle: (visit: Visit) => Promise<Answer>;
};

const NOTHING = z.strictObject({});

/** What an operation is described by; the types of what it is given follow from the schemas. */
type Described<Query extends z.ZodObject, Body extends z.ZodObject> = Omit<
  ApiOperation,
  'handle' | 'query' | 'body'
> & {
  query?: Query;
  body?: Body;
  carryOut: (given: Given<Query, Body>, visit: Visit) => Promise<unknown>;
};

/** Makes an operation: what is given is checked before it is carried out, and every mistake is named. */
export function operation<Query extends z.ZodObject = typeof NOTHING, Body extends z.ZodObject = typeof NOTHING>({
  query,
  body,
  carryOut,
  ...rest
}: Described<Query, Body>): ApiOperation {
  const asked = query ?? (NOTHING as unknown as Query);
  return {
    ...rest,
    query: asked,
    body: body ?? null,
    handle: async (visit) => {
      const all = {
        params: visit.params,
        query: given(asked, visit),
        body: parse(body ?? (NOTHING as unknown as Body), body === undefined ? {} : visit.json, 'body'),
      };
      const json = await carryOut(all, visit);
      return rest.asked !== undefined && isAsked(json) ? { json, status: 202 } : { json };
    },
  };
}

/** The parameters of a query, as their schema reads them; every mistake is named. */
export function given<Query extends z.ZodObject>(query: Query, { url }: Pick<Visit, 'url'>): z.output<Query> {
  return parse(query, dictionary(url.searchParams), 'parameter');
}

function isAsked(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'asked' in json;
}

function parse<Schema extends z.ZodObject>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${[what, ...path].join('.')}: ${message}`);
  throw new OfferlineError('usage', problems.join('; '));
}

/** The route of an operation. */
export function routeOf({ method, path, may, body, file, handle }: ApiOperation): Route {
  const address = `${BASE}${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`;
  const read = file === true ? ({ body: 'file' } as const) : body === null ? {} : ({ body: 'json' } as const);
  return { method, path: address, may, handle, ...read };
}
