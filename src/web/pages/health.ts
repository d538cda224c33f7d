import { messageOf } from '../../errors.ts';
import type { Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

const TEXT = 'text/plain; charset=utf-8';

/** Says that the console answers. */
export async function livez(): Promise<Answer> {
  return { text: 'ok\n', type: TEXT };
}

/** Says whether the ledger can be read and the working process answers; why not is in its log, not here. */
export async function readyz({ ctx, call }: Visit): Promise<Answer> {
  try {
    await Promise.all([ctx.ledger.now(), call('ping', {})]);
    return { text: 'ok\n', type: TEXT };
  } catch (error) {
    ctx.log.warn({ reason: messageOf(error) }, 'console is not ready');
    return { text: 'not ready\n', type: TEXT, status: 503 };
  }
}
