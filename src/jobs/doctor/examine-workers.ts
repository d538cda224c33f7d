import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { moment, span } from '../../wording/words.ts';
import { isInTrouble, type WorkerNow, workersNow } from '../workers/workers-now.ts';
import type { Finding } from './doctor-ledger.ts';

/** A finding for each worker, and one for each feed whose source none of them reaches. */
export async function examineWorkers(ctx: Context): Promise<Finding[]> {
  try {
    const [{ workers, unserved }, now] = await Promise.all([workersNow(ctx), ctx.ledger.now()]);
    return [
      ...workers.map((worker) => ({
        check: `worker ${worker.name}`,
        ok: !isInTrouble(worker, workers),
        detail: detailOf(worker, now),
      })),
      ...unserved.map(({ feed, on }) => ({
        check: `reach ${feed}`,
        ok: false,
        detail: `no running worker serves ${on.join(' or ')} (feeds.${feed}.source.on): start one where the place can be reached, with \`offerline worker --serves ${on[0]}\``,
      })),
    ];
  } catch (error) {
    return [{ check: 'workers', ok: false, detail: messageOf(error) }];
  }
}

function detailOf({ state, version, host, serves, since, seen, doing, stays }: WorkerNow, now: number): string {
  const age = span(Math.max(0, now - seen));
  const parts = [
    state === 'outdated' && 'takes no more work, because the ledger is newer than it: upgrade offerline there',
    state === 'silent' && 'was not stopped, and gives no sign of life: look at its machine',
    `version ${version}${stays ? '' : ', a command that waits'}`,
    `on ${host}`,
    `since ${moment(since)}`,
    `last sign of life ${age} ago`,
    serves.length > 0 && `serves ${serves.join(', ')}`,
    doing.length > 0 && `works on ${doing.join(', ')}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}
