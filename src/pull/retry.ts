const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * How long to wait before a source is asked again, in milliseconds: a second, twice as long after each further failure,
 * and at least as long as the server asked for, but never longer than half a minute.
 */
export function sourceRetryDelay(failures: number, asked = 0): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(asked, FIRST_WAIT_MS * 2 ** failures));
}
