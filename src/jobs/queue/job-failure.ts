import type { Log } from '../../log.ts';

/** Warns of the same failure once until it is over: a Redis that is away fails several connections every second. */
export type FailureLog = { say: (reason: string, message: string) => void; over: () => void };

/** A failure log without entries; repetitions are left to the level `debug`. */
export function failureLog(log: Log): FailureLog {
  const said = new Set<string>();
  return {
    say: (reason, message) => {
      const key = `${message} ${reason}`;
      if (said.has(key)) log.debug({ reason }, message);
      else log.warn({ reason }, message);
      said.add(key);
    },
    over: () => said.clear(),
  };
}
