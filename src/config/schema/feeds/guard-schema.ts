import { part, share } from '../units.ts';
import { z } from '../zod.ts';

/** A feed's guards: only what it overrides of its login's. */
export const feedGuard = z.strictObject({
  minRows: z.int().min(0).optional(),
  maxRowDrop: part.optional(),
  maxRowGrowth: share.optional(),
  maxRejected: part.optional(),
  maxBrandDrop: part.optional(),
  maxTagDrop: part.optional(),
  maxPartsGone: part.optional(),
  maxPriceJump: part.optional(),
  maxStockDrop: part.optional(),
  maxLeftOut: part.optional(),
});

/** A login's guards, with those that hold where none is written. */
export const loginGuard = feedGuard.extend({
  minRows: z.int().min(0).default(1),
  maxRowDrop: part.prefault('50%'),
  maxRejected: part.prefault('20%'),
  maxPartsGone: part.prefault('50%'),
  maxLeftOut: part.prefault('20%'),
});

/** The guards of a login that has written none. */
export function loginGuardDefaults(): z.output<typeof loginGuard> {
  return loginGuard.parse({});
}

/** What is reported and changes nothing: a feed overrides its login's. */
export const feedAlarm = z.strictObject({ maxRemoteRejected: part.optional() });

/** The same of a login. */
export const loginAlarm = z.strictObject({ maxRemoteRejected: part.prefault('20%') });
