import { basename } from 'node:path';
import type { Gauge } from '../gauge.ts';
import type { LogLook } from '../log.ts';
import { printable, printableJson, printableText } from '../wording/printable.ts';

/** Which step of which run a text about progress is about. */
export type StepFacts = { run: string; feed: string; stage: string };

/** What a command may do with its terminal; tests run the real program, so there is only this one implementation. */
export type Io = {
  /** Writes lines of the result to stdout; what a terminal would obey is spelled out. */
  out: (text: string) => void;
  /** The same with colours of ours: every text from outside in it is `printable` already. */
  styled: (text: string) => void;
  /** Writes a command's last lines for the person at the terminal to stderr, as `out` does. */
  note: (text: string) => void;
  /** Says on stderr how far the work is, and what else comes before its end: plainly on a terminal, elsewhere as a line of the log. */
  progress: (text: string, facts?: StepFacts) => void;
  /** Draws how far something is in place of what it drew before, on a terminal only; null removes it. */
  gauge: (gauge: Gauge | null, subject: string) => void;
  /** Writes the one JSON value of a `--json` answer to stdout. */
  json: (value: unknown) => void;
  /** True once `json` was called: the answer is complete, and nothing may follow it. */
  answered: () => boolean;
  /** Sets the exit status of the process (docs/cli.md, Exit status); the highest concern wins by being set last. */
  exit: (status: number) => void;
  /** True when stderr is a terminal that may be redrawn: progress is shown only then. */
  interactive: boolean;
  /** True when stdout may carry colour. */
  color: boolean;
};

/** As pino numbers it. */
const INFO = 30;

/**
 * The Io of the running process; colours and redrawing only on a terminal, `NO_COLOR`, `CI` and a dumb `TERM` honoured. `argv`: the arguments,
 * whose line breaks (`check *` in a supplier's folder) must not become lines of ours.
 */
export function processIo(env: NodeJS.ProcessEnv, argv: string[]): Io {
  const plain = isPlain(env);
  let answered = false;
  const broken = argv.flatMap((word) => [word, basename(word)]).filter((word) => word.trim().includes('\n'));
  const shown = (text: string) =>
    printableText(broken.reduce((whole, word) => whole.replaceAll(word, printable(word)), text));
  survivePipes();
  const interactive = process.stderr.isTTY && !plain;
  const gauge = interactive ? gaugeOnDemand() : () => undefined;
  return {
    gauge,
    out: (text) => void process.stdout.write(`${shown(text)}\n`),
    styled: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${shown(text)}\n`),
    progress: (text, facts) => {
      const line = { level: INFO, time: Date.now(), ...facts, progress: text, msg: 'progress' };
      process.stderr.write(process.stderr.isTTY ? `${shown(text)}\n` : `${printableJson(JSON.stringify(line))}\n`);
    },
    json: (value) => {
      answered = true;
      process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);
    },
    answered: () => answered,
    exit: (status) => {
      process.exitCode = status;
    },
    interactive,
    color: process.stdout.isTTY && !plain,
  };
}

/** How a log on stderr looks. */
export function logLook(env: NodeJS.ProcessEnv = process.env): LogLook {
  const pretty = process.stderr.isTTY;
  return { pretty, color: pretty && !isPlain(env) };
}

function isPlain(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') !== '' || (env['CI'] ?? '') !== '' || env['TERM'] === 'dumb';
}

/** Loads what draws when something is to be drawn: most commands are over before. */
function gaugeOnDemand(): Io['gauge'] {
  let draw: Io['gauge'] | undefined;
  let loading: Promise<void> | undefined;
  const load = async () => {
    const { drawGauge } = await import('./draw-gauge.ts');
    draw = drawGauge(process.stderr);
  };
  return (gauge, subject) => {
    if (draw === undefined && gauge !== null) loading ??= load();
    draw?.(gauge, subject);
  };
}

/**
 * A reader that has seen enough (`| head`) must not end the work or change its exit status; a stdout that cannot be written
 * (a full disk) is a fault that is said.
 */
function survivePipes(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`The answer could not be written: ${error.message}\n`);
    process.exitCode = 1;
  });
}
