import { OfferlineError } from '../../errors.ts';
import type { CallOptions, ServiceLog } from '../client.ts';
import type { Operation } from '../operation/operation.ts';

/** What a page says: its elements and, where the service says so, how many pages there are. */
type Page = { data: unknown[]; totalPages?: number | null | undefined };

/** Elements of a page that is asked for while all are wanted. */
const PAGE_SIZE = 100;

/** Why no more elements come: these are all, or the service gives no more of them. */
export type EndOfPages = 'complete' | 'limit';

/**
 * Every element of an operation with pages, page by page as they are taken. Ends at an empty page, at the last one that the
 * service counts, or at the operation's limit, which is told as the last value and in the log. What is added or removed
 * meanwhile can appear twice or not at all.
 */
export async function* eachElement(
  operation: Operation,
  parameters: Record<string, unknown>,
  options: CallOptions,
  log: ServiceLog,
  call: (parameters: Record<string, unknown>, options: CallOptions) => Promise<unknown>,
): AsyncGenerator<unknown, EndOfPages, undefined> {
  const limit = operation.paged?.limit ?? Infinity;
  const size = Math.min(typeof parameters['size'] === 'number' ? parameters['size'] : PAGE_SIZE, limit);
  let page = typeof parameters['page'] === 'number' ? parameters['page'] : 0;
  let before = '';
  for (let seen = page * size; seen < limit; page++) {
    const { data, totalPages } = (await call({ ...parameters, page, size }, options)) as Page;
    const written = JSON.stringify(data);
    if (data.length > 0 && written === before) {
      throw new OfferlineError('service-reply', `${operation.name}: page ${page} repeats page ${page - 1}.`);
    }
    before = written;
    yield* data.slice(0, limit - seen);
    seen += data.length;
    if (data.length === 0 || (typeof totalPages === 'number' && page + 1 >= totalPages)) return 'complete';
  }
  log.warn({ operation: operation.name, limit }, 'ended at the limit of the service: there may be more elements');
  return 'limit';
}
