import { invalid, type Page } from '../http/parameters.ts';
import { identKey } from '../reference/keys.ts';
import { autoInfoState } from '../vehicles/auto-infos.ts';
import { demandIndexed } from '../vehicles/indexed.ts';
import { looksLikeVin, vehiclesOfIdent } from '../vehicles/known.ts';
import type { SearchContext } from './context.ts';
import { exactExpression, matchExpression, type Wanted } from './match.ts';
import type { Part, Portfolio } from './portfolio.ts';
import type { SearchRequest } from './request.ts';
import { understand, type Recognisers, type Term } from './terms.ts';
import { wordsOf } from './words.ts';

export type Hit = { part: Part; score: number };

/** More are no query that a person would type, and would delay all others. */
const MOST_WORDS = 200;

const NAMES: Record<SearchRequest['searchBy'], Wanted['names']> = {
  OFFER: ['offer'],
  OFFER_AND_DETAIL: ['offer', 'detail'],
  OFFER_AND_DETAIL_AND_CROSS: ['offer', 'detail', 'cross_names'],
};

/** One page of what a login's search finds, best first. */
export async function search(
  ctx: SearchContext,
  login: string,
  request: SearchRequest,
  { page, size }: Page,
): Promise<Hit[]> {
  const vehicles = vehiclesOf(ctx, login, request);
  return ctx.portfolios.use(login, (portfolio) => {
    const wanted = portfolio && wantedOf(ctx, login, request, { portfolio, vehicles });
    return portfolio === undefined || !wanted ? [] : findPage(portfolio, wanted, size, page * size);
  });
}

/**
 * Parts of which a name is just what was asked for come first, then what matches by itself, then what only matches through a
 * cross: the scores of these begin at 2, at 1 and at 0.
 */
function findPage(portfolio: Portfolio, wanted: Wanted, size: number, offset: number): Hit[] {
  const direct = withoutCrosses(wanted);
  const [exact, self, all] = [exactExpression(direct), matchExpression(direct), matchExpression(wanted)];
  const tiers = [
    ...(exact === undefined ? [] : [{ expression: exact, least: 2 }]),
    { expression: exact === undefined ? self : `(${self}) NOT (${exact})`, least: 1 },
    ...(all === self ? [] : [{ expression: `(${all}) NOT (${self})`, least: 0 }]),
  ];
  const hits: Hit[] = [];
  let skipped = offset;
  for (const { expression, least } of tiers) {
    // Ranking costs a look at everything that each word finds; most queries find nothing in some of the tiers.
    if (hits.length === size || !portfolio.finds(expression)) continue;
    const found = portfolio.find(expression, size - hits.length, skipped);
    skipped = found.length > 0 ? 0 : skipped - portfolio.count(expression);
    hits.push(...found.map(({ part, relevance }) => ({ part, score: least + relevance / (1 + relevance) })));
  }
  return hits.map(({ part, score }) => ({ part, score: Number(score.toPrecision(10)) }));
}

function withoutCrosses(wanted: Wanted): Wanted {
  const names = wanted.names.filter((column) => column !== 'cross_names');
  return { ...wanted, names, crossBrands: false, crossNumbers: false, crossDetails: false };
}

/** How many of the parts that a search finds have each tag. A word that finds nothing but is a tag stands for the tag. */
export async function countTags(
  ctx: SearchContext,
  login: string,
  request: SearchRequest,
): Promise<{ tag: string; count: number }[]> {
  const vehicles = vehiclesOf(ctx, login, request);
  return ctx.portfolios.use(login, (portfolio) => {
    const wanted = portfolio && wantedOf(ctx, login, request, { portfolio, vehicles });
    if (portfolio === undefined || !wanted) return [];
    return portfolio.countTags(matchExpression(withTagWords(wanted, portfolio)));
  });
}

function vehiclesOf({ autoInfos, now }: SearchContext, login: string, { autoInfoId }: SearchRequest): number[] | null {
  if (autoInfoId === undefined || autoInfoId === null) return null;
  return [demandIndexed(autoInfos, login, autoInfoId, now()).vehicle];
}

type Where = { portfolio: Portfolio; vehicles: number[] | null };

/** What a request asks the index for; null when its query has characters but no word, so that nothing can be found. */
function wantedOf(
  ctx: SearchContext,
  login: string,
  request: SearchRequest,
  { portfolio, vehicles }: Where,
): Wanted | null {
  const words = wordsOf(request.query);
  if (words.length > MOST_WORDS) throw invalid('query', `has ${words.length} words; at most ${MOST_WORDS} are allowed`);
  if (words.length === 0 && request.query.trim() !== '') return null;
  const understood = understand(words, recognisers(ctx, login, request, portfolio));
  return {
    terms: understood.terms,
    names: NAMES[request.searchBy],
    numbers: request.detectOems,
    brands: request.detectBrands,
    crossBrands: request.searchCrossBrands,
    crossNumbers: request.searchCrossOems,
    crossDetails: request.searchCrossDetails,
    tags: request.tags && {
      ids: request.tags.map((tag) => portfolio.tagId(tag)),
      every: request.tagsLogicOperation === 'AND',
    },
    original: request.originals ?? null,
    vehicles: vehicles ?? understood.vehicles,
  };
}

function recognisers(ctx: SearchContext, login: string, request: SearchRequest, portfolio: Portfolio): Recognisers {
  const reference = ctx.reference.db();
  const numbers = reference.prepare('SELECT id FROM parts WHERE oem_key = ?');
  const brands = reference.prepare('SELECT 1 FROM parts WHERE brand_key = ? LIMIT 1');
  return {
    ...(request.detectVehicleIdentString && { vehicles: (key: string) => indexedVehicles(ctx, login, key) }),
    ...(request.detectBrands && {
      brand: (key: string) => portfolio.hasBrand(key) || brands.get(key) !== undefined,
    }),
    ...(request.detectOems && {
      number: (key: string) => {
        const details = numbers.all(key).map(({ id }) => Number(id));
        return details.length > 0 || portfolio.hasNumber(key) ? details : undefined;
      },
    }),
  };
}

/** The vehicles of a VIN or Frame that the login has indexed; undefined for what is neither. */
function indexedVehicles(
  { reference, autoInfos, now }: SearchContext,
  login: string,
  key: string,
): number[] | undefined {
  const known = vehiclesOfIdent(reference, identKey(key));
  if (known.length === 0) return looksLikeVin(key) ? [] : undefined;
  const infos = autoInfos.of(login, known);
  return infos.filter((info) => autoInfoState(info, now()).state === 'success').map(({ vehicle }) => vehicle);
}

/** Takes the words that only make sense as tags out of the terms. */
function withTagWords(wanted: Wanted, portfolio: Portfolio): Wanted {
  const isTag = (term: Term) =>
    term.as === 'words' &&
    !term.optional &&
    portfolio.tagId(term.text) !== 0 &&
    !portfolio.finds(matchExpression({ ...wanted, terms: [term] }));
  const tags = wanted.terms.filter(isTag).map((term) => portfolio.tagId(term.as === 'words' ? term.text : ''));
  if (tags.length === 0) return wanted;
  return { ...wanted, terms: wanted.terms.filter((term) => !isTag(term)), tags: { ids: tags, every: true } };
}
