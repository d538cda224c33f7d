import type { Call } from '../calls/call.ts';
import type { Reply } from '../http/reply.ts';
import { readParameters, type Page } from '../http/parameters.ts';
import type { OperationRoute } from '../calls/router.ts';
import { searchByOems } from './by-oems.ts';
import type { SearchContext } from './context.ts';
import { createTeller, itemView } from './items.ts';
import { advancedRequest, searchEverywhere, simpleRequest, type SearchRequest } from './request.ts';
import { countTags, search } from './search.ts';

const PUBLIC = '/us2/public';

/** The search operations; two of them have two spellings of their path. */
export function searchRoutes(ctx: SearchContext): OperationRoute[] {
  const advanced = async (call: Call) => {
    const { request, page } = await advancedRequest(call.query, call.request);
    return found(ctx, call, request, page);
  };
  const simple = async (call: Call) => {
    const { request, page } = simpleRequest(call.query);
    return found(ctx, call, request, page);
  };
  const byOems = (call: Call) => searchByOems(ctx, call);
  return [
    { operation: 'search', method: 'GET', path: `${PUBLIC}/search/search`, handle: simple },
    ...['advancedSearch', 'search/advancedSearch'].map((path): OperationRoute => {
      return { operation: 'advancedSearch', method: 'POST', path: `${PUBLIC}/${path}`, handle: advanced };
    }),
    ...['searchByOems', 'search/searchByOems'].map((path): OperationRoute => {
      return { operation: 'searchByOems', method: 'GET', path: `${PUBLIC}/${path}`, handle: byOems };
    }),
    {
      operation: 'countByTags',
      method: 'GET',
      path: `${PUBLIC}/search/countByTags`,
      handle: (call) => countByTags(ctx, call),
    },
    {
      operation: 'countByTagsExt',
      method: 'GET',
      path: `${PUBLIC}/search/countByTagsExt`,
      handle: (call) => countByTagsExt(ctx, call),
    },
  ];
}

async function found(ctx: SearchContext, call: Call, request: SearchRequest, page: Page): Promise<Reply> {
  const hits = await search(ctx, call.login.id, request, page);
  const teller = createTeller(ctx.reference, request.locale);
  return { status: 200, json: { data: hits.map((hit) => itemView(teller, hit)), requestId: call.requestId } };
}

async function countByTags(ctx: SearchContext, call: Call): Promise<Reply> {
  const parameters = readParameters(call.query);
  const autoInfoId = parameters.requiredInt64('autoInfoId');
  parameters.end();
  return counted(
    ctx,
    call,
    searchEverywhere('', autoInfoId, { tags: null, locale: { text: 'en_US', language: 'en' } }),
  );
}

async function countByTagsExt(ctx: SearchContext, call: Call): Promise<Reply> {
  const parameters = readParameters(call.query);
  const autoInfoId = parameters.int64('autoInfoId');
  const query = parameters.text('query') ?? '';
  const locale = parameters.locale();
  parameters.end();
  return counted(ctx, call, searchEverywhere(query, autoInfoId, { tags: null, locale }));
}

async function counted(ctx: SearchContext, { login, requestId }: Call, request: SearchRequest): Promise<Reply> {
  const counts = await countTags(ctx, login.id, request);
  return { status: 200, json: { data: counts.map(({ tag, count }) => ({ tag, detailsCount: count })), requestId } };
}
