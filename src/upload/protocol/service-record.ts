import type { Listed, ServiceState } from './attempt.ts';

/** States after which the service does nothing more; any other, known or not, is unfinished. */
const FINISHED = { success: true, failed: true, aborted: true };

/** True for a state after which the service does nothing more. */
export function isFinished(state: string): state is keyof typeof FINISHED {
  return Object.hasOwn(FINISHED, state);
}

/** True for a record on which the service still works, or whose state it does not document. */
export function isUnfinished(record: { state: string }): boolean {
  return !isFinished(record.state);
}

/** True for a record whose file name has one of the tokens. */
export function carriesAny(record: Listed, tokens: readonly string[]): boolean {
  return tokens.some((token) => record.sourceFile?.includes(token) ?? false);
}

/** What a record says of its upload. */
export function serviceState(record: Listed): ServiceState {
  const { state, linesProcessed, lastModified, error, errorFileExists } = record;
  return { state, linesProcessed, lastModified, error, errorFileExists };
}
