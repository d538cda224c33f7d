import { z } from '../zod.ts';
import { names } from '../names.ts';
import { duration } from '../units.ts';
import { labels } from '../worker-schema.ts';

/** Where results are put unless it is written: beside the delivery. */
export const BESIDE = '.';

/** How a file is chosen in a place that holds several, and what becomes of it there. */
export const choosing = {
  pattern: z.string().min(1).default('*'),
  ready: z.string().min(1).optional(),
  settle: duration.prefault('5s'),
  after: z.enum(['keep', 'move', 'delete']).default('keep'),
  moveTo: z.string().min(1).default('taken'),
  deadline: duration.prefault('1h'),
  result: z
    .strictObject({
      to: z.string().min(1).default(BESIDE),
      name: z.string().min(1).max(100).default('{name}_result.xlsx'),
    })
    .optional(),
  maxFiles: z.int().min(1).max(200_000).optional(),
  on: labels.min(1).optional(),
  take: z.enum(['newest', 'all']).optional(),
  files: names(
    z.string().min(1),
    z.strictObject({ pattern: z.string().min(1), stays: z.literal(true).optional() }),
  ).optional(),
  manifest: z.string().min(1).optional(),
  count: z.int().min(2).max(1000).optional(),
  completeWithin: duration.optional(),
  incomplete: z.enum(['wait', 'take']).optional(),
};

/** A folder on this machine, as written. */
export const directorySource = z.strictObject({
  type: z.literal('directory'),
  path: z.string().min(1),
  ...choosing,
  followLinks: z.boolean().default(false),
});

export type DirectorySource = z.output<typeof directorySource>;
