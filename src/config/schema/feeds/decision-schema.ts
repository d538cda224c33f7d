import { z } from '../zod.ts';
import { feedGuard } from './guard-schema.ts';

/** Which approvals need a second person: all, none, or those of files that trip one of these guards. */
const approve = z.strictObject({
  second: z.union([z.boolean(), z.array(feedGuard.keyof()).min(1)], {
    error: 'expected true, false, or a list of guards such as [maxRowDrop]',
  }),
});

/** What about a feed needs a second person: it overrides its login's. */
export const feedDecisions = z.strictObject({ approve: approve.optional() });

/** The same of a login, which overrides that of the installation. */
export const decisions = feedDecisions.extend({
  rollback: z.strictObject({ second: z.boolean() }).optional(),
});
