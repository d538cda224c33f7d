import { pino, type Logger } from 'pino';
import { OfferlineError } from './errors.ts';

export type Log = Logger;

const SECRET_PATHS = ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization', 'headers'];

/** A logger on stderr: pretty on a terminal, JSON lines otherwise. Messages are constants, data goes in fields. */
export async function createLog(options: { level: string; pretty: boolean }): Promise<Log> {
  const settings = {
    level: options.level,
    base: null,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: { err: showError },
  };
  if (!options.pretty) return pino(settings, pino.destination({ fd: 2, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(settings, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }));
}

/** An error that says what, where and what to do needs no stack; a fault of ours does. */
function showError(error: unknown): unknown {
  if (!(error instanceof OfferlineError)) return pino.stdSerializers.err(error as Error);
  const { code, message, details } = error;
  return { code, message, ...(Object.keys(details).length === 0 ? {} : { details }) };
}
