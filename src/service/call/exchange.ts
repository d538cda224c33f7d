import { messageOf, OfferlineError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Access, Call, Reply, ReplyHeaders } from '../http/access.ts';
import { withRequestId } from '../http/excerpt.ts';
import { isSuccess } from '../http/read.ts';
import { refusal } from '../http/refusal.ts';
import { send } from '../http/send.ts';
import type { Operation } from '../operation/operation.ts';
import { callHook } from './call-hook.ts';
import { givenUp } from './repeat.ts';

/** What a call gave, beside the status and headers of the reply that it came in. */
export type WithResponse<R> = { reply: R; status: number; headers: ReplyHeaders };

/** One request and its reply; the one place that logs them and tells hooks. */
export async function exchange<T>(
  operation: Pick<Operation, 'name' | 'group'>,
  client: Client,
  call: Call,
  { signal, timeout, headers, attempt }: CallOptions & { attempt: number },
  read: (reply: Reply, call: Call) => Promise<T>,
): Promise<WithResponse<T>> {
  const started = client.clock.now();
  const known = { operation: operation.name, method: call.method, path: call.path };
  const whole = { ...call, signal, timeout, headers: { ...headers, ...call.headers } };
  let status: number | null = null;
  let requestId: string | null = null;
  const end = (error: OfferlineError | null) => {
    const ms = client.clock.now() - started;
    callHook(client, 'onEnd', { ...known, attempt, status, ms, requestId: requestIdIn(error) ?? requestId, error });
  };
  try {
    callHook(client, 'onRequest', { ...known, attempt });
    const reply = await send(accessOf(operation, client), whole);
    ({ status } = reply);
    requestId = withRequestId({ requestId: reply.headers['x-request-id'] }).details.requestId ?? null;
    const facts = { status, headers: reply.headers };
    callHook(client, 'onResponse', { ...known, attempt, ...facts, ms: client.clock.now() - started });
    if (!isSuccess(reply)) throw await refusal(whole, reply);
    const answer = await read(reply, whole);
    requestId = withRequestId(answer).details.requestId ?? requestId;
    client.log.debug({ ...known, status, ms: client.clock.now() - started }, 'service called');
    end(null);
    return { reply: answer, ...facts };
  } catch (error) {
    const code = error instanceof OfferlineError ? error.code : 'internal';
    client.log.debug({ ...known, status, ms: client.clock.now() - started, code }, 'service call failed');
    end(asHeard(error, signal));
    throw error;
  }
}

/** An error as a hook hears it: what the caller gave up is `interrupted`, unless it says why itself. */
function asHeard(error: unknown, signal: AbortSignal | undefined): OfferlineError {
  if (signal?.aborted === true && !(signal.reason instanceof OfferlineError)) return givenUp(signal, error);
  return error instanceof OfferlineError ? error : new OfferlineError('internal', messageOf(error), { cause: error });
}

/** The service's id of the request, as the body of a refusal says it. */
function requestIdIn(error: OfferlineError | null): string | null {
  const id = error?.details['requestId'];
  return typeof id === 'string' ? id : null;
}

/** The address of an operation's group. */
function accessOf({ group }: Pick<Operation, 'group'>, client: Client): Access {
  return group === 'catalog' ? client.catalogAccess : client.access;
}
