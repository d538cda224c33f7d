import { pino, type Logger } from 'pino';

export type Log = Logger;

const SECRET_PATHS = ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization', 'headers'];

/** A logger on stderr: pretty on a terminal, JSON lines otherwise. Messages are constants, data goes in fields. */
export async function createLog(options: { level: string; pretty: boolean }): Promise<Log> {
  const settings = { level: options.level, base: null, redact: { paths: SECRET_PATHS, censor: '[secret]' } };
  if (!options.pretty) return pino(settings, pino.destination({ fd: 2, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(settings, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }));
}
