import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { callForFile, callForValue } from './call.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Operation } from '../operation/operation.ts';
import { eachElement, type EndOfPages } from './pages.ts';

/** A call needs no parameters where none is required. */
type Arguments<P> = object extends P ? [parameters?: P, options?: CallOptions] : [parameters: P, options?: CallOptions];

type ReplyOf<O extends Operation> = O['reply'] extends z.ZodType ? z.output<O['reply']> : Readable;

type ElementOf<R> = R extends { data: (infer E)[] } ? E : never;

/** Operations with pages can also be read element by element; `size` is then 100 when not given. */
type Each<O extends Operation> = O extends { paged: object }
  ? {
      each: (
        ...given: Arguments<z.input<O['parameters']>>
      ) => AsyncGenerator<ElementOf<ReplyOf<O>>, EndOfPages, undefined>;
    }
  : unknown;

/** The function of an operation. */
export type FunctionOf<O extends Operation> = ((...given: Arguments<z.input<O['parameters']>>) => Promise<ReplyOf<O>>) &
  Each<O>;

/** The functions of a group, under the names of its operations. */
export type FunctionsOf<T> = { [K in keyof T]: T[K] extends Operation ? FunctionOf<T[K]> : never };

/** Makes the functions of a group of operations. */
export function functionsOf<T extends Record<string, Operation>>(operations: T, client: Client): FunctionsOf<T> {
  const made = Object.entries(operations).map(([name, operation]) => [name, functionOf(operation, client)]);
  return Object.fromEntries(made) as FunctionsOf<T>;
}

function functionOf(operation: Operation, client: Client): unknown {
  if (operation.reply === 'file') {
    return (parameters: unknown = {}, options?: CallOptions) => callForFile(operation, client, parameters, options);
  }
  const perform = (parameters: unknown = {}, options?: CallOptions) =>
    callForValue(operation, client, parameters, options);
  if (operation.paged === undefined) return perform;
  return Object.assign(perform, {
    each: (parameters: Record<string, unknown> = {}, options: CallOptions = {}) =>
      eachElement(operation, parameters, options, client.log, perform),
  });
}
