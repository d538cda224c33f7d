import { parameterError } from '../operation/check-parameters.ts';
import type { Client } from '../client.ts';
import type { Call } from '../http/access.ts';
import type { CommandForm, Operation } from '../operation/operation.ts';

/** The language that is sent where the caller gives none: the command form requires one. */
const LOCALE = 'en_US';
/** What would end a value, or the line; and a key. The first `=` of a pair ends its key, later ones belong to the value. */
const BREAKING = { value: /[|\p{Cc}]/gu, key: /[|=:\p{Cc}]/gu };

/** Checked parameters as the one line `Name:Key=value|Key=value`, posted as text. */
export function commandCall(
  operation: Operation & { command: CommandForm },
  parameters: Record<string, unknown>,
  { commandPath, commandValues }: Pick<Client, 'commandPath' | 'commandValues'>,
): Call {
  const { command } = operation;
  const pairs = pairsOf(command, parameters);
  const problems = [
    ...lacking(command, parameters),
    ...clashing(command, parameters),
    ...(commandValues === 'refuse' ? breaking(pairs) : []),
  ];
  if (problems.length > 0) throw parameterError(operation, problems);
  const written = commandValues === 'percent' ? percent : (value: string) => value;
  return {
    method: 'POST',
    path: commandPath,
    label: `${command.name} (POST ${commandPath})`,
    headers: { 'content-type': 'text/plain; charset=utf-8', accept: 'application/xml, text/xml' },
    body: `${command.name}:${pairs.map(({ key, value }) => `${written(key)}=${written(value)}`).join('|')}`,
  };
}

type Pair = { key: string; value: string };

function lacking({ name, required = [] }: CommandForm, parameters: Record<string, unknown>): string[] {
  return required
    .filter((one) => parameters[one] === undefined)
    .map((one) => `${one} is missing: the command ${name} needs it; only service.catalogForm: rest can do without`);
}

/** Fields of an operation that would be taken for a parameter of the command. */
function clashing({ name, keys }: CommandForm, parameters: Record<string, unknown>): string[] {
  const own = Object.values(keys);
  return Object.keys(fieldsOf(parameters))
    .filter((field) => own.includes(field))
    .map((field) => `fields.${field}: the command ${name} has a parameter of this name`);
}

function breaking(pairs: Pair[]): string[] {
  const advice = 'set service.commandValues to percent, or service.catalogForm to rest';
  return pairs.flatMap(({ key, value }) => {
    const signs = new Set([...(value.match(BREAKING.value) ?? []), ...(key.match(BREAKING.key) ?? [])]);
    if (signs.size === 0) return [];
    const shown = [...signs].map((sign) => JSON.stringify(sign)).join(' ');
    return [`${key} has ${shown}, which would break the command; ${advice}`];
  });
}

function fieldsOf(parameters: Record<string, unknown>): Record<string, string> {
  return (parameters['fields'] ?? {}) as Record<string, string>;
}

function pairsOf(command: CommandForm, parameters: Record<string, unknown>): Pair[] {
  const given = Object.entries(command.keys).flatMap(([name, key]) => {
    const value = parameters[name] ?? command.defaults?.[name] ?? (name === 'locale' ? LOCALE : undefined);
    return value === undefined ? [] : [{ key, value: textOf(value, command.digits?.includes(name) === true) }];
  });
  const fields = Object.entries(fieldsOf(parameters));
  return given.concat(fields.map(([key, value]) => ({ key, value })));
}

function textOf(value: unknown, asDigit: boolean): string {
  return asDigit && typeof value === 'boolean' ? String(Number(value)) : String(value);
}

function percent(value: string): string {
  return value.replaceAll(
    /[%|=:\p{Cc}]/gu,
    (sign) => `%${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
