import type { Operation } from '../../service/operation/operation.ts';
import { OPERATIONS } from '../../service/operations.ts';
import { parametersOf, type Parameter } from '../../service/operation/parameters.ts';
import { shownName } from './find-operation.ts';

/** Every operation with its parameters, grouped as the document groups them. */
export function listOperations(): string {
  const lines: string[] = [];
  let group = '';
  for (const operation of OPERATIONS.values()) {
    if (operation.group !== group) lines.push(`${group === '' ? '' : '\n'}${operation.group}`);
    group = operation.group;
    lines.push(...describe(operation));
  }
  return `${lines.join('\n')}\n\n* required. To call one: offerline api search --param query="brake pad"`;
}

/** An operation as lines: what it does, then its parameters. */
function describe(operation: Operation): string[] {
  const notes = [
    operation.paged === undefined ? '' : ' Paged.',
    operation.name === 'process' ? ' Called only by `ingest`.' : '',
  ];
  return [
    `  ${shownName(operation).padEnd(26)}${operation.about}${notes.join('')}`,
    ...parametersOf(operation.parameters).map(describeParameter),
  ];
}

function describeParameter(parameter: Parameter): string {
  const { name, required, description, kind } = parameter;
  const fallback = parameter.default === undefined ? '' : `; default: ${parameter.default}`;
  return `      ${`${name}${required ? '*' : ''}`.padEnd(26)}${kind.shown}: ${description}${fallback}`;
}

/** The same for programs. */
export function operationsAsJson(): unknown {
  return [...OPERATIONS.values()].map((operation) => ({
    operation: shownName(operation),
    group: operation.group,
    about: operation.about,
    method: operation.method,
    paths: operation.paths,
    paged: operation.paged !== undefined,
    parameters: parametersOf(operation.parameters).map(({ name, required, description, kind, ...rest }) => ({
      name,
      required,
      kind: kind.shown,
      description,
      default: rest.default ?? null,
    })),
  }));
}
