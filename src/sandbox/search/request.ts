import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { Refusal } from '../http/reply.ts';
import { invalid, readLocale, readParameters, type Locale, type Page, type Parameters } from '../http/parameters.ts';

/** A search as it is asked for, in whichever way; `tags` null: whatever the tags. */
export type SearchRequest = Omit<z.output<typeof bodySchema>, 'locale' | 'query' | 'tags'> & {
  query: string;
  tags: string[] | null;
  locale: Locale;
};

/** The most elements of a response. */
const MOST = 10_000;
const MAX_BODY = 1_000_000;

const int64 = z
  .number()
  .refine((value) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63, 'expected a whole number of 64 bits');

/** The body of the advanced search, with the document's defaults. */
const bodySchema = z.strictObject({
  searchBy: z.enum(['OFFER', 'OFFER_AND_DETAIL', 'OFFER_AND_DETAIL_AND_CROSS']),
  query: z.string().optional(),
  autoInfoId: int64.nullish(),
  detectVehicleIdentString: z.boolean().default(true),
  detectBrands: z.boolean().default(true),
  detectOems: z.boolean().default(true),
  searchCrossBrands: z.boolean().default(true),
  searchCrossOems: z.boolean().default(true),
  searchCrossDetails: z.boolean().default(true),
  tags: z
    .array(z.string())
    .refine((tags) => new Set(tags).size === tags.length, 'expected each tag once')
    .optional(),
  tagsLogicOperation: z.enum(['OR', 'AND']).default('OR'),
  originals: z.boolean().nullish(),
  locale: z.string().optional(),
});

/** The simple search: everything else as the advanced search has it by default. */
export function simpleRequest(query: URLSearchParams): { request: SearchRequest; page: Page } {
  const parameters = readParameters(query);
  const text = parameters.text('query');
  if (text === undefined) throw invalid('query', 'is missing');
  const request = searchEverywhere(text, parameters.int64('autoInfoId'), {
    tags: listOf(parameters.text('tags')),
    locale: parameters.locale(),
  });
  const page = readPage(parameters);
  parameters.end();
  return { request, page };
}

/** A search by words alone, over all names. */
export function searchEverywhere(
  query: string,
  autoInfoId: number | undefined,
  rest: Pick<SearchRequest, 'tags' | 'locale'>,
): SearchRequest {
  const defaults = bodySchema.parse({ searchBy: 'OFFER_AND_DETAIL_AND_CROSS', autoInfoId });
  return { ...defaults, query, ...rest };
}

/** The advanced search: paging in the query, everything else in the body. */
export async function advancedRequest(
  query: URLSearchParams,
  message: IncomingMessage,
): Promise<{ request: SearchRequest; page: Page }> {
  const parameters = readParameters(query);
  const page = readPage(parameters);
  parameters.end();
  const parsed = bodySchema.safeParse(await readJson(message));
  if (!parsed.success) throw new Refusal(400, 'INVALID_PARAMETER', problemsOf(parsed.error));
  const { query: text = '', tags = [], locale, ...rest } = parsed.data;
  return {
    request: { ...rest, query: text, tags: tags.length === 0 ? null : tags, locale: readLocale(locale) },
    page,
  };
}

/** A size that is more than a response can hold is cut to that. */
function readPage(parameters: Parameters): Page {
  const { page, size } = parameters.page();
  return { page, size: Math.min(size, MOST) };
}

function listOf(text: string | undefined): string[] | null {
  const tags = (text ?? '').split(/\s+/).filter((tag) => tag !== '');
  return tags.length === 0 ? null : [...new Set(tags)];
}

function problemsOf(error: z.ZodError): string {
  const each = error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return `The request is not understood: ${each.join('; ')}.`;
}

async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY) throw new Refusal(413, 'BODY_TOO_LARGE', `The body has more than ${MAX_BODY} bytes.`);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Refusal(400, 'BODY_BROKEN', 'The body is not JSON.');
  }
}
