import { OfferlineError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Access, Call, Reply, ReplyHeaders } from '../http/access.ts';
import { isSuccess } from '../http/read.ts';
import { refusal } from '../http/refusal.ts';
import { send } from '../http/send.ts';
import type { Operation } from '../operation/operation.ts';
import { callHook } from './call-hook.ts';

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
  try {
    callHook(client, 'onRequest', { ...known, attempt });
    const reply = await send(accessOf(operation, client), whole);
    ({ status } = reply);
    const facts = { status, headers: reply.headers };
    callHook(client, 'onResponse', { ...known, attempt, ...facts, ms: client.clock.now() - started });
    if (!isSuccess(reply)) throw await refusal(whole, reply);
    const answer = await read(reply, whole);
    client.log.debug({ ...known, status, ms: client.clock.now() - started }, 'service called');
    return { reply: answer, ...facts };
  } catch (error) {
    const code = error instanceof OfferlineError ? error.code : 'internal';
    client.log.debug({ ...known, status, ms: client.clock.now() - started, code }, 'service call failed');
    throw error;
  }
}

/** The address of an operation's group. */
function accessOf({ group }: Pick<Operation, 'group'>, client: Client): Access {
  return group === 'catalog' ? client.catalogAccess : client.access;
}
