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

/**
 * How a request ended, as a hook sees it: `status` is null when no reply came, `error` when the reply was read. Of a file `ms` passed until
 * its headers had come, else until the whole reply had. `requestId`: the service's id of the request, where it gave one.
 */
export type EndFacts = RequestFacts & {
  status: number | null;
  ms: number;
  requestId: string | null;
  error: OfferlineError | null;
};

/** Why a call is sent again, after which attempt, and after how many milliseconds. */
export type RetryFacts = { operation: string; attempt: number; wait: number; error: OfferlineError };

/**
 * Functions that hear of every request. They watch and cannot interfere: nobody waits for them, and what they throw is
 * logged, because a reply that has come must not be lost by it.
 */
export type Hooks = {
  onRequest?: ((request: RequestFacts) => unknown) | undefined;
  onResponse?: ((response: ResponseFacts) => unknown) | undefined;
  onEnd?: ((end: EndFacts) => unknown) | undefined;
  onRetry?: ((retry: RetryFacts) => unknown) | undefined;
};
