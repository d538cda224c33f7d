import { pino } from 'pino';
import type { Log } from '../../src/log.ts';

/** A log that keeps its entries, for tests that look at them or want silence. */
export function memoryLog(): { log: Log; entries: { level: number; msg: string; [field: string]: unknown }[] } {
  const entries: { level: number; msg: string }[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void entries.push(JSON.parse(line)) });
  return { log, entries };
}
