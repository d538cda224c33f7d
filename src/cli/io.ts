import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import type { Gauge } from '../gauge.ts';
import type { LogLook } from '../log.ts';
import { printable, printableJson, printableText } from '../wording/printable.ts';

/** Which step of which run a text about progress is about. */
export type StepFacts = { run: string; feed: string; stage: string };

/** What a command is given by the process that runs it: where answers and remarks go, the environment, and what ends it. */
export type Surroundings = {
  env: NodeJS.ProcessEnv;
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  /** Where lines of the log go that are not for a terminal; without it to stderr, each before the next one is made. */
  log?: { write: (line: string) => void };
  setStatus: (status: number) => void;
  /** Calls back with each signal that asks the process to end; gives what takes the callback away. */
  onSignal: (end: (name: NodeJS.Signals) => void) => () => void;
  /** Ends the process with the status that was set, whatever is still open in it. */
  endProcess: () => void;
};

/** What a command may do with the process that runs it. */
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
  /** Sets the exit status of the process (docs/reference/cli.md, Exit status); the highest concern wins by being set last, and a lost answer always. */
  exit: (status: number) => void;
  /** True when stderr is a terminal that may be redrawn: progress is shown only then. */
  interactive: boolean;
  /** True when stdout may carry colour. */
  color: boolean;
  env: NodeJS.ProcessEnv;
  /** For what is written as it is, such as a downloaded file. */
  stdout: Writable;
  /** How a log on stderr looks, and where its lines go. */
  log: LogLook;
  /** A signal that fires at SIGINT or SIGTERM; a second SIGINT ends the process at once. */
  stopSignal: () => AbortSignal;
  /** Ends the process some time after a command's work, whatever is still open in it. */
  endSoon: () => void;
};

/** As pino numbers it. */
const INFO = 30;

/** Milliseconds between the end of a command's work and the end of its process, at most. */
const END_LIMIT = 1000;

/**
 * The Io of a command; colours and redrawing only on a terminal, `NO_COLOR`, `CI` and a dumb `TERM` honoured. `argv`: the arguments,
 * whose line breaks (`check *` in a supplier's folder) must not become lines of ours.
 */
export function createIo(argv: string[], surroundings: Surroundings): Io {
  const { env, stdout, stderr } = surroundings;
  const plain = isPlain(env);
  let answered = false;
  const broken = argv.flatMap((word) => [word, basename(word)]).filter((word) => word.trim().includes('\n'));
  const shown = (text: string) =>
    printableText(broken.reduce((whole, word) => whole.replaceAll(word, printable(word)), text));
  const pretty = stderr.isTTY === true;
  const interactive = pretty && !plain;
  const gauge = interactive ? gaugeOnDemand() : () => undefined;
  return {
    gauge,
    out: (text) => void stdout.write(`${shown(text)}\n`),
    styled: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${shown(text)}\n`),
    progress: (text, facts) => {
      const line = { level: INFO, time: Date.now(), ...facts, progress: text, msg: 'progress' };
      stderr.write(pretty ? `${shown(text)}\n` : `${printableJson(JSON.stringify(line))}\n`);
    },
    json: (value) => {
      answered = true;
      stdout.write(`${printableJson(JSON.stringify(value))}\n`);
    },
    answered: () => answered,
    exit: surroundings.setStatus,
    interactive,
    color: stdout.isTTY === true && !plain,
    env,
    stdout,
    log: { pretty, color: interactive, ...(surroundings.log !== undefined && { lines: surroundings.log }) },
    stopSignal: () => stopSignal(surroundings),
    endSoon: () => void setTimeout(surroundings.endProcess, END_LIMIT).unref(),
  };
}

function stopSignal({ onSignal }: Surroundings): AbortSignal {
  const stop = new AbortController();
  const leave = onSignal((name) => {
    if (stop.signal.aborted && name === 'SIGINT') {
      // Without a listener the signal ends the process, and the shell sees 130.
      leave();
      process.kill(process.pid, 'SIGINT');
    }
    stop.abort(name);
  });
  return stop.signal;
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
