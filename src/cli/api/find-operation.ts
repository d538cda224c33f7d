import { nearest } from '../../config/read/nearest.ts';
import { OfferlineError } from '../../errors.ts';
import type { Operation } from '../../service/operation/operation.ts';
import { OPERATIONS } from '../../service/operations.ts';

/** What an operation is called at the command line: as the end of its path, where its own name would say too little. */
export function shownName({ name, group }: Operation): string {
  return group === 'offers' ? `offer/${name}` : name;
}

/** The operation of a name: its own (`list`), with its group (`offers.list`), or any of its paths or their ends (`offer/list`). */
export function findOperation(written: string): Operation {
  const wanted = written.toLowerCase().replace(/^\/+/, '');
  const operations = [...OPERATIONS.values()];
  const found = operations.find((operation) => namesOf(operation).some((name) => name.toLowerCase() === wanted));
  if (found !== undefined) return found;
  const near = nearest(wanted, operations.flatMap(namesOf));
  const meant = operations.find((operation) => near !== undefined && namesOf(operation).includes(near));
  const advice = meant === undefined ? '`offerline api` lists them' : `did you mean ${shownName(meant)}?`;
  throw new OfferlineError('usage', `There is no operation "${written}"; ${advice}`);
}

function namesOf({ name, group, paths }: Operation): string[] {
  const ends = paths.flatMap((path) => [path.slice(1), path.split('/').slice(-2).join('/')]);
  return [name, `${group}.${name}`, `${group}/${name}`, ...ends];
}
