import { parameterError } from '../../check-parameters.ts';
import type { Client } from '../../client.ts';
import type { Call } from '../../http/access.ts';
import type { CommandForm, Operation } from '../../operation.ts';

/** The language that is sent where the caller gives none: the command form requires one. */
const LOCALE = 'en_US';
/** What would end a value, or the line. */
const BREAKING = /[|=:\p{Cc}]/gu;

/** Checked parameters as the one line `Name:Key=value|Key=value`, posted as text. */
export function commandCall(
  operation: Operation & { command: CommandForm },
  parameters: Record<string, unknown>,
  { commandPath, commandValues }: Pick<Client, 'commandPath' | 'commandValues'>,
): Call {
  const { command } = operation;
  const pairs = pairsOf(command, parameters);
  const broken = pairs.flatMap(({ key, value }) => {
    const signs = new Set([...(value.match(BREAKING) ?? []), ...(key.match(BREAKING) ?? [])]);
    return signs.size === 0 ? [] : [{ key, signs }];
  });
  if (commandValues === 'refuse' && broken.length > 0) {
    const advice = 'set service.commandValues to percent, or service.catalogForm to rest';
    const problems = broken.map(({ key, signs }) => {
      const shown = [...signs].map((sign) => JSON.stringify(sign)).join(' ');
      return `${key} has ${shown}, which would break the command; ${advice}`;
    });
    throw parameterError(operation, problems);
  }
  const written = commandValues === 'percent' ? percent : (value: string) => value;
  return {
    method: 'POST',
    path: commandPath,
    label: `${command.name} (POST ${commandPath})`,
    headers: { 'content-type': 'text/plain; charset=utf-8', accept: 'application/xml, text/xml' },
    body: `${command.name}:${pairs.map(({ key, value }) => `${written(key)}=${written(value)}`).join('|')}`,
  };
}

function pairsOf(command: CommandForm, parameters: Record<string, unknown>): { key: string; value: string }[] {
  const given = Object.entries(command.keys).flatMap(([name, key]) => {
    const value = parameters[name] ?? command.defaults?.[name] ?? (name === 'locale' ? LOCALE : undefined);
    return value === undefined ? [] : [{ key, value: textOf(value, command.digits?.includes(name) === true) }];
  });
  const fields = Object.entries((parameters['fields'] ?? {}) as Record<string, string>);
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
