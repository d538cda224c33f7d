import { pino, type Logger } from 'pino';
import { OfferlineError } from './errors.ts';
import { levelOfWords, logWords } from './log-words.ts';
import { printable, printableJson, printableText } from './wording/printable.ts';
import { redact, redactDeep, redactForeign } from './wording/redact.ts';

export type Log = Logger;

const SECRET_PATHS = ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization', 'headers'];

/** How a log looks: `pretty` for people at a terminal, with colours where they want them. `lines`: where others go, else to stderr. */
export type LogLook = { pretty: boolean; color?: boolean; lines?: { write: (line: string) => void } };

/**
 * A logger on stderr: pretty on a terminal, JSON lines otherwise. Messages are constants, data goes in fields. No line holds a
 * credential, or a character that a terminal would obey.
 */
export async function createLog(options: { level: string } & LogLook): Promise<Log> {
  const settings = {
    level: options.level,
    base: null,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: { err: showError },
    hooks: { streamWrite: (line: string) => (options.pretty ? forPeople : printableJson)(redact(line)) },
  };
  if (!options.pretty) return pino(settings, options.lines ?? pino.destination({ fd: 2, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    settings,
    pretty({
      destination: process.stderr,
      // Its own guess looks at stdout.
      colorize: options.color ?? false,
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'pid,hostname',
      singleLine: true,
    }),
  );
}

/** A line for pino-pretty, which prints texts as they are; only a stack has lines of its own. What is known is put into words. */
function forPeople(line: string): string {
  const shown = (key: string, value: unknown) =>
    typeof value === 'string' ? (key === 'stack' ? printableText : printable)(value) : value;
  const fields = JSON.parse(line, shown) as Record<string, unknown>;
  const words = logWords(fields);
  const { level, time } = fields;
  const whole = words === null ? fields : { level: levelOfWords(fields) ?? level, time, msg: words };
  return `${JSON.stringify(whole)}\n`;
}

/** An error that says what, where and what to do needs no stack; a fault of ours does. */
function showError(error: unknown): unknown {
  if (!(error instanceof OfferlineError)) return withSent(pino.stdSerializers.err(error as Error));
  const { code, message, details } = error;
  return { code, message, ...(Object.keys(details).length === 0 ? {} : { details }) };
}

/** Clients keep in an error what they sent, such as the command that signs in. */
function withSent({ command, response, ...error }: Record<string, unknown>): unknown {
  return { ...error, ...redactDeep({ command, response }, redactForeign) };
}
