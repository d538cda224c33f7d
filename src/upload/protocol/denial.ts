import type { Attempt, Refusal } from './attempt.ts';

/** True for a refusal of the credentials or of a right; it says nothing about the file. */
export function isDenial(refusal: { status: number }): boolean {
  return refusal.status === 401 || refusal.status === 403;
}

/** The credentials are refused (401, 403): the attempt stays where it is until they are accepted, and then goes on at once. */
export function afterDenial(attempt: Attempt, denied: Refusal, now: number): Attempt {
  const refusal = attempt.state === 'intended' ? null : attempt.refusal;
  return { ...attempt, denied, refusal, listed: null, note: denied.text, waits: 0, nextAt: now, wait: 0 };
}
