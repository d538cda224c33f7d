import type { WriteStream } from 'node:tty';
import type { Gauge } from '../gauge.ts';
import { gaugeLine, type Shown } from './gauge-line.ts';

const CLEAR = '\r\u001B[K';

/**
 * Draws a gauge as the last line of a terminal, at most ten times a second. Whatever else the process writes to that terminal, by
 * stdout or stderr, takes its place first.
 */
export function drawGauge(terminal: WriteStream): (gauge: Gauge | null, subject: string) => void {
  let drawn = false;
  let shown: (Shown & { began: number; subject: string }) | null = null;
  const clear = () => {
    if (drawn) write(CLEAR);
    drawn = false;
  };
  const write: (text: string) => boolean = terminal.write.bind(terminal);
  for (const stream of [process.stdout, terminal]) if (stream.isTTY) clearBefore(stream, clear);
  return (gauge, subject) => {
    if (gauge === null) {
      shown = null;
      return clear();
    }
    const now = performance.now();
    if (shown?.subject !== subject || shown.gauge.stage !== gauge.stage || gauge.done < shown.gauge.done) {
      shown = { subject, gauge, began: now, elapsed: 0, from: gauge.done };
    }
    shown = { ...shown, gauge, elapsed: now - shown.began };
    write(`${CLEAR}${gaugeLine(subject, shown, Math.max(20, terminal.columns || 80))}`);
    drawn = true;
  };
}

/** Has something done before each write to a stream. */
function clearBefore(stream: NodeJS.WriteStream, clear: () => void): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    clear();
    return write(...args);
  };
}
