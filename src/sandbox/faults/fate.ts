import type { CallFaults } from './fault-list.ts';
import type { FaultOf } from './schema.ts';

/**
 * What faults make of one upload, as it is kept with its record, so that it outlives a restart. Times are milliseconds of
 * the sandbox's clock.
 */
export type Fate = {
  stuck?: true;
  /** How long it is processed, instead of what the pace says; null: for ever. */
  processing?: number | null;
  end?: { state: 'failed' | 'aborted'; error: string | null };
  reject?: { every: number; oems?: string[] | undefined; code: string; message: string };
  /** Error text of a record whose state is success. */
  error?: string;
  /** What is shown while it is unfinished. */
  state?: string;
  /** What is shown as its file name; null: none. */
  sourceFile?: string | null;
  errorColumns?: Pick<FaultOf<'error-columns'>, 'columns' | 'omit'>;
  /** How long after its success the index knows it. */
  lag?: number;
};

/** What the faults of a call make of its upload; null when nothing. */
export function fateOf(faults: CallFaults): Fate | null {
  const fate: Fate = {};
  const slow = faults.get('slow');
  const stuck = faults.get('stuck');
  const unknown = faults.get('unknown-state');
  if (slow !== undefined) fate.processing = slow.for;
  if (unknown !== undefined) {
    fate.state = unknown.state;
    if (unknown.for !== undefined) fate.processing = endless(unknown.for);
  }
  if (stuck !== undefined) {
    fate.stuck = true;
    fate.processing = endless(stuck.for);
  }
  return tellingFate(faults, endingFate(faults, fate));
}

function endingFate(faults: CallFaults, fate: Fate): Fate {
  const fail = faults.get('fail');
  const abort = faults.get('abort');
  const reject = faults.get('reject-rows');
  if (fail !== undefined) fate.end = { state: 'failed', error: fail.error };
  else if (abort !== undefined) fate.end = { state: 'aborted', error: abort.error ?? null };
  if (reject !== undefined) {
    fate.reject = { every: reject.every, oems: reject.oems, code: reject.code, message: reject.message };
    if (reject.error !== undefined) fate.error = reject.error;
  }
  return fate;
}

function tellingFate(faults: CallFaults, fate: Fate): Fate | null {
  const sourceFile = faults.get('source-file');
  const errorColumns = faults.get('error-columns');
  const lag = faults.get('index-lag');
  if (sourceFile !== undefined) fate.sourceFile = sourceFile.name;
  if (errorColumns !== undefined) fate.errorColumns = { columns: errorColumns.columns, omit: errorColumns.omit };
  if (lag !== undefined) fate.lag = lag.for;
  return Object.keys(fate).length === 0 ? null : fate;
}

function endless(duration: number | 'forever'): number | null {
  return duration === 'forever' ? null : duration;
}
