/** What a command may do with its terminal; tests run the real program, so there is only this one implementation. */
export type Io = {
  /** Writes a line of the result to stdout. */
  out: (text: string) => void;
  /** Writes a line for the person at the terminal to stderr. */
  note: (text: string) => void;
  /** Writes the one JSON value of a `--json` answer to stdout. */
  json: (value: unknown) => void;
  /** Sets the exit status of the process (CONTRACT, Exit status); the highest concern wins by being set last. */
  exit: (status: number) => void;
  /** True when stderr is a terminal that may be redrawn: progress is shown only then. */
  interactive: boolean;
  /** True when stdout may carry colour. */
  color: boolean;
};

/** The Io of the running process; colours and redrawing only on a terminal, `NO_COLOR` and `CI` honoured. */
export function processIo(env: NodeJS.ProcessEnv): Io {
  const plain = (env['NO_COLOR'] ?? '') !== '' || (env['CI'] ?? '') !== '';
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    json: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
    exit: (status) => {
      process.exitCode = status;
    },
    interactive: process.stderr.isTTY && !plain,
    color: process.stdout.isTTY && !plain,
  };
}
