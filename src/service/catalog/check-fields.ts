import { nearest } from '../../config/read/nearest.ts';
import { parameterError } from '../operation/check-parameters.ts';
import type { ServiceLog } from '../client.ts';
import { fitsPattern, MAX_VALUE } from './fits-pattern.ts';
import { catalogOperations } from './operations.ts';
import type { CatalogInfo } from './schemas.ts';

type Fields = Readonly<Record<string, string>>;
type Field = CatalogInfo['operations'][number]['fields'][number];

/**
 * Checks an operation and its fields against what its catalog says of them; a `usage` error names every problem. A pattern
 * that cannot be used checks nothing, and is logged.
 */
export function checkFields(info: CatalogInfo, name: string, fields: Fields, log: ServiceLog): void {
  const known = info.operations.find((operation) => operation.name === name);
  if (known === undefined) {
    const names = info.operations.map((operation) => operation.name);
    const near = nearest(name, names);
    const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    const advice = near === undefined ? has : `did you mean ${near}?`;
    throw parameterError(catalogOperations.execCustomOperation, [
      `operation: the catalog ${info.code} has no operation "${name}"; ${advice}`,
    ]);
  }
  const problems = Object.entries(fields).flatMap(([field, value]) => problemOf(field, value, known.fields, info, log));
  if (problems.length > 0) throw parameterError(catalogOperations.execCustomOperation, problems);
}

function problemOf(name: string, value: string, known: Field[], { code }: CatalogInfo, log: ServiceLog): string[] {
  const field = known.find((one) => one.name === name);
  if (field === undefined) {
    const names = known.map((one) => one.name);
    const near = nearest(name, names);
    const advice = near === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean ${near}?`;
    return [`fields.${name}: the operation has no such field; ${advice}`];
  }
  if (value.length > MAX_VALUE) return [`fields.${name}: the value has more than ${MAX_VALUE} characters`];
  const { pattern, example } = field;
  if (typeof pattern !== 'string' || pattern === '') return [];
  const fits = fitsPattern(value, pattern);
  if (fits === null)
    log.warn({ catalog: code, field: name, pattern }, 'pattern of a catalog cannot be used, value not checked');
  if (fits !== false) return [];
  const hint = typeof example === 'string' && example !== '' ? `, for example ${example}` : '';
  return [`fields.${name}: ${JSON.stringify(value)} does not fit ${pattern}${hint}`];
}
