import type { OfferlineError } from '../errors.ts';
import type { ReplyHeaders } from './http/access.ts';

/** A request as a hook sees it: never a parameter's value or a credential. */
export type RequestFacts = {
  operation: string;
  method: 'GET' | 'POST';
  path: string;
  /** 1 for the first time that the call is sent. */
  attempt: number;
};

/** A reply as a hook sees it, whatever its status; `ms` passed until its headers had come. */
export type ResponseFacts = RequestFacts & { status: number; headers: ReplyHeaders; ms: number };

/** Why a call is sent again, after which attempt, and after how many milliseconds. */
export type RetryFacts = { operation: string; attempt: number; wait: number; error: OfferlineError };

/**
 * Functions that hear of every request. They watch and cannot interfere: nobody waits for them, and what they throw is
 * logged, because a reply that has come must not be lost by it.
 */
export type Hooks = {
  onRequest?: ((request: RequestFacts) => unknown) | undefined;
  onResponse?: ((response: ResponseFacts) => unknown) | undefined;
  onRetry?: ((retry: RetryFacts) => unknown) | undefined;
};
