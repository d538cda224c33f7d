import { parameterError } from '../operation/check-parameters.ts';
import type { Client } from '../client.ts';
import type { Call, QueryValue } from '../http/access.ts';
import type { Operation } from '../operation/operation.ts';
import { parametersOf } from '../operation/parameters.ts';

/** Checked parameters as the query and JSON body of a request; what is null or not given is not part of a query. */
export function requestOf(
  operation: Operation,
  parameters: Record<string, unknown>,
  client: Pick<Client, 'oems'>,
): Call {
  const { method, paths, inQuery } = operation;
  const isQuery = (name: string) => inQuery === undefined || inQuery.includes(name);
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given
    .filter(([name, value]) => isQuery(name) && value !== null)
    .flatMap(([name, value]) =>
      isFields(value) ? ownNames(operation, value) : [[name, queryValue(operation, name, value, client)]],
    );
  const call: Call = { method, path: paths[0], query: Object.fromEntries(query) as Record<string, QueryValue> };
  if (inQuery === undefined) return call;
  const body = given
    .filter(([name]) => !isQuery(name))
    .map(([name, value]) => [name, bodyValue(operation, name, value)]);
  return { ...call, body: JSON.stringify(Object.fromEntries(body)), headers: { 'content-type': 'application/json' } };
}

function queryValue(operation: Operation, name: string, value: unknown, { oems }: Pick<Client, 'oems'>): QueryValue {
  if (!Array.isArray(value)) return value as QueryValue;
  const texts = value as string[];
  if (oems === 'repeat') return texts;
  const broken = texts.filter((text) => text.includes(','));
  if (broken.length === 0) return texts.join(',');
  throw parameterError(
    operation,
    broken.map((text) => `${name}: "${text}" has a comma, which service.oems: comma cannot send; set it to repeat`),
  );
}

/** Fields of an operation are parameters of their own. */
function ownNames(operation: Operation, fields: Record<string, string>): [string, string][] {
  const clashing = Object.keys(fields).filter((name) => Object.hasOwn(operation.parameters.shape, name));
  if (clashing.length === 0) return Object.entries(fields);
  throw parameterError(
    operation,
    clashing.map((name) => `fields.${name}: ${operation.name} has a parameter of this name`),
  );
}

function isFields(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The document's ids are JSON numbers of 64 bits: their digits are written as they are. */
function bodyValue(operation: Operation, name: string, value: unknown): unknown {
  const isId = parametersOf(operation.parameters).some((parameter) => parameter.name === name && parameter.isId);
  return isId && typeof value === 'string' ? rawJson(value) : value;
}

/** `JSON.rawJSON`, which the type library does not know yet. */
function rawJson(digits: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(digits);
}
