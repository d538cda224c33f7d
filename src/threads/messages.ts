import type { ErrorCode } from '../errors.ts';

/** An error as it crosses a thread: an OfferlineError keeps its code and details, anything else its stack and system code. */
export type ThreadError =
  | { known: true; code: ErrorCode; message: string; retryable: boolean; details: Record<string, unknown> }
  | { known: false; message: string; stack: string | undefined; code: string | undefined };

/** `heap`: bytes that the thread's objects take after the task. */
export type ThreadReply = ({ ok: true; value: unknown } | { ok: false; error: ThreadError }) & { heap: number };

/**
 * An exported function of a module, its input, the credentials that the thread hides from then on, and the span that its work belongs to.
 */
export type ThreadTask = {
  module: string;
  name: string;
  input: unknown;
  credentials: string[];
  traceparent: string | null;
};
