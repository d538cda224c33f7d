import { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { tell } from '../call/call-hook.ts';
import type { FunctionsOf } from '../call/functions.ts';
import { waitFor, type Wait } from '../call/wait-for.ts';
import type { Client } from '../client.ts';
import type { offerOperations } from './operations.ts';
import type { OfferRecord } from './schemas.ts';

/** How long and how often is looked; `onLook` hears every record that is seen, with `linesProcessed`, and cannot interfere. */
export type ProcessWait = Wait & { onLook?: ((record: OfferRecord) => void) | undefined };

/**
 * Looks until an upload is processed (`success`), for an hour when no deadline is given; rejected rows are in its `.errors`
 * file when `errorFileExists`. Fails with `service-refused` when its state is `failed` or `aborted`, with `service-reply` at
 * the deadline (with `service-unreachable` when the service was silent then), and with `interrupted` when the signal fires. It only looks: nothing is uploaded again.
 */
export function waitUntilProcessed(
  offers: Pick<FunctionsOf<typeof offerOperations>, 'get'>,
  client: Pick<Client, 'clock' | 'random' | 'log'>,
  { offerId }: Parameters<typeof offers.get>[0],
  { onLook, deadline = 3_600_000, ...wait }: ProcessWait = {},
): Promise<OfferRecord> {
  const look = async (options: Wait) => {
    const record = await offers.get({ offerId }, options);
    tell(client.log, 'onLook', 'waitUntilProcessed', () => onLook?.(record));
    return record;
  };
  return waitFor<OfferRecord>(
    {
      name: 'waitUntilProcessed',
      begin: look,
      isDone: ({ id, state, error }) => {
        if (state !== 'failed' && state !== 'aborted') return state === 'success';
        const why = typeof error === 'string' && error !== '' ? foreignText(error, 300) : 'it gave no reason';
        const message = `The service has not processed the upload ${id}, which is ${state}: ${why}`;
        throw new OfferlineError('service-refused', message, { details: { offerId: id, state } });
      },
      again: (_record, options) => look(options),
      late: ({ id, state }, waited) => {
        const why = `waitUntilProcessed: ${waited} the upload ${id} is still ${foreignText(state, 100)}; look again later`;
        return new OfferlineError('service-reply', why, { retryable: true, details: { offerId: id, state } });
      },
    },
    client,
    { ...wait, deadline },
  );
}
