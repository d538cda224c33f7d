import { STATUS_CODES } from 'node:http';
import { type ErrorCode, OfferlineError, STATUS } from '../../errors.ts';
import type { Answer } from '../route.ts';

/** A refusal in the form that HTTP has for them (RFC 9457), with our code. */
export function problem(
  status: number,
  code: ErrorCode,
  detail: string,
  headers: Record<string, string> = {},
): Extract<Answer, { text: string }> {
  const title = STATUS_CODES[status] ?? 'Refused';
  const text = JSON.stringify({ type: 'about:blank', title, status, detail, code });
  return { text, type: 'application/problem+json', status, headers };
}

/** An error that is answered with this status of HTTP, whatever its code; `again`: seconds after which the same may be tried again. */
export function refusedWith(status: number, message: string, { again }: { again?: number } = {}): OfferlineError {
  return new OfferlineError('usage', message, {
    details: { answer: status, ...(again === undefined ? {} : { again }) },
  });
}

/** The refusal of an error of ours. */
export function problemOf({ code, message, details }: OfferlineError): Extract<Answer, { text: string }> {
  const { answer, again } = details;
  const headers: Record<string, string> = typeof again === 'number' ? { 'retry-after': String(again) } : {};
  return problem(typeof answer === 'number' ? answer : STATUS[code].http, code, message, headers);
}
