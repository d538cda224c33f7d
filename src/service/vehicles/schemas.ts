import { z } from 'zod';
import { count, envelope, id, openWord, paging } from '../operation/reply-values.ts';

/** What is known of a vehicle under a code; the set of codes varies by vehicle. */
const attribute = z
  .looseObject({
    code: z.string(),
    label: z.string().nullish(),
    values: z.array(z.string()).nullish(),
  })
  .meta({ record: 'VehicleAttribute' });

/** A vehicle as identified; states other than created, queued and success may appear. */
const identified = z
  .looseObject({
    id,
    brand: z.string().nullish(),
    name: z.string().nullish(),
    attributes: z.array(attribute).nullish(),
    state: openWord(['created', 'queued', 'success']),
  })
  .meta({ record: 'IdentifiedVehicle' });

/** A vehicle of the login's list. Times are epoch milliseconds (`dateOf`). */
const autoInfo = identified
  .extend({
    identString: z.string().nullish(),
    processingStage: openWord(['identified', 'indexed']).nullish(),
    createdTime: count.nullish(),
    updatedTime: count.nullish(),
    error: z.string().nullish(),
  })
  .meta({ record: 'AutoInfo' });

export type AutoInfo = z.output<typeof autoInfo>;

/** States of a vehicle's indexing; others may appear. */
export type AutoInfoState = AutoInfo['state'];

export const identifyReply = envelope(z.array(identified));
export const autoInfoReply = envelope(autoInfo);
export const autoInfosReply = envelope(z.array(autoInfo));
export const autoInfoPage = autoInfosReply.extend(paging);
