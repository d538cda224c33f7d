import { OfferlineError } from '../../errors.ts';
import type { CallOptions, ServiceLog } from '../client.ts';
import type { Operation } from '../operation/operation.ts';

/** What a page says: its elements and, where the service says so, how many pages and elements there are. */
type Page = { data: unknown[]; totalPages?: number | null | undefined; totalElements?: number | null | undefined };

/** Why no more elements come: these are all, or the service gives no more of them. */
export type EndOfPages = 'complete' | 'limit';

type Pages = AsyncGenerator<Page, EndOfPages, undefined>;

/** Elements of a page that is asked for while all are wanted. */
const PAGE_SIZE = 100;

/**
 * Every page with elements, as they are taken. Ends at an empty page, at the last one that the service counts, or at the
 * operation's limit, which is told as the last value and in the log. What is added or removed meanwhile can appear twice or
 * not at all.
 */
export async function* eachPage(
  operation: Operation,
  parameters: Record<string, unknown>,
  options: CallOptions,
  log: ServiceLog,
  call: (parameters: Record<string, unknown>, options: CallOptions) => Promise<unknown>,
): Pages {
  const limit = operation.paged?.limit ?? Infinity;
  const size = Math.min(typeof parameters['size'] === 'number' ? parameters['size'] : PAGE_SIZE, limit);
  let page = typeof parameters['page'] === 'number' ? parameters['page'] : 0;
  let before = '';
  for (let seen = page * size; seen < limit; page++) {
    const reply = (await call({ ...parameters, page, size }, options)) as Page;
    const { data } = reply;
    const written = JSON.stringify(data);
    if (data.length > 0 && written === before) {
      throw new OfferlineError('service-reply', `${operation.name}: page ${page} repeats page ${page - 1}.`);
    }
    before = written;
    if (data.length === 0) return 'complete';
    yield { ...reply, data: data.slice(0, limit - seen) };
    seen += data.length;
    if (seen <= limit && isLast(reply, page, seen)) return 'complete';
  }
  log.warn({ operation: operation.name, limit }, 'ended at the limit of the service: there may be more elements');
  return 'limit';
}

/** True for the last page that the service counts, unless it counts more elements than came. */
function isLast({ totalPages, totalElements }: Page, page: number, seen: number): boolean {
  if (typeof totalElements === 'number' && seen < totalElements) return false;
  return typeof totalPages === 'number' && page + 1 >= totalPages;
}

/** Every element of pages, with the same last value. */
export async function* eachElement(pages: Pages): AsyncGenerator<unknown, EndOfPages, undefined> {
  for (;;) {
    const next = await pages.next();
    if (next.done === true) return next.value;
    yield* next.value.data;
  }
}

/** The elements of pages in a list; no page is asked for after the one with the last element that is wanted. */
export async function allElements(operation: Operation, pages: Pages, limit = Infinity): Promise<unknown[]> {
  if (!(limit === Infinity || (Number.isInteger(limit) && limit > 0))) {
    throw new OfferlineError('usage', `${operation.name}: limit has to be a whole number from 1.`);
  }
  const all: unknown[] = [];
  for await (const { data } of pages) {
    for (const element of data.slice(0, limit - all.length)) all.push(element);
    if (all.length >= limit) break;
  }
  return all;
}
