import type { z } from 'zod';
import { callForFile, callForValue } from './call.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Download } from './download.ts';
import type { WithResponse } from './exchange.ts';
import type { Operation } from '../operation/operation.ts';
import { allElements, eachElement, eachPage, type EndOfPages } from './pages.ts';

/** A call needs no parameters where none is required. */
type Arguments<P, O = CallOptions> = object extends P ? [parameters?: P, options?: O] : [parameters: P, options?: O];

type ReplyOf<O extends Operation> = O['reply'] extends z.ZodType ? z.output<O['reply']> : Download;

type ElementOf<R> = R extends { data: (infer E)[] } ? E : never;

type Given<O extends Operation> = z.input<O['parameters']>;

/** Operations with pages can also be read element by element and page by page; `size` is then 100 when not given. */
type Paged<O extends Operation> = O extends { paged: object }
  ? {
      /** Every element, as they are taken; the last value says whether these were all. */
      each: (...given: Arguments<Given<O>>) => AsyncGenerator<ElementOf<ReplyOf<O>>, EndOfPages, undefined>;
      /** Every page as the service gives it, with its totals where it has some. */
      byPage: (...given: Arguments<Given<O>>) => AsyncGenerator<ReplyOf<O>, EndOfPages, undefined>;
      /** Every element in a list, or the first `limit` of them. */
      toArray: (
        ...given: Arguments<Given<O>, CallOptions & { limit?: number | undefined }>
      ) => Promise<ElementOf<ReplyOf<O>>[]>;
    }
  : unknown;

/** A function that can also give status and headers beside its reply. */
export type Callable<A extends unknown[], R> = ((...given: A) => Promise<R>) & {
  withResponse: (...given: A) => Promise<WithResponse<R>>;
};

/** The function of an operation. */
export type FunctionOf<O extends Operation> = Callable<Arguments<Given<O>>, ReplyOf<O>> & Paged<O>;

/** The functions of a group, under the names of its operations. */
export type FunctionsOf<T> = { [K in keyof T]: T[K] extends Operation ? FunctionOf<T[K]> : never };

/** Makes the functions of a group of operations. */
export function functionsOf<T extends Record<string, Operation>>(operations: T, client: Client): FunctionsOf<T> {
  const made = Object.entries(operations).map(([name, operation]) => [name, functionOf(operation, client)]);
  return Object.fromEntries(made) as FunctionsOf<T>;
}

/** Makes a function of one that gives status and headers, too. */
export function callable<A extends unknown[], R>(
  withResponse: (...given: A) => Promise<WithResponse<R>>,
): Callable<A, R> {
  return Object.assign(async (...given: A) => (await withResponse(...given)).reply, { withResponse });
}

function functionOf(operation: Operation, client: Client): unknown {
  const call = operation.reply === 'file' ? callForFile : callForValue;
  const perform = callable((parameters: unknown = {}, options: CallOptions = {}) =>
    call(operation, client, parameters, options),
  );
  if (operation.paged === undefined) return perform;
  const pages = (parameters: Record<string, unknown> = {}, options: CallOptions = {}) =>
    eachPage(operation, parameters, options, client.log, perform);
  return Object.assign(perform, {
    byPage: pages,
    each: (parameters?: Record<string, unknown>, options?: CallOptions) => eachElement(pages(parameters, options)),
    toArray: (
      parameters?: Record<string, unknown>,
      { limit, ...options }: CallOptions & { limit?: number | undefined } = {},
    ) => allElements(operation, pages(parameters, options), limit),
  });
}
