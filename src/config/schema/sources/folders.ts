import { z } from '../zod.ts';
import { duration } from '../units.ts';
import { labels } from '../worker-schema.ts';

/** How a file is chosen in a place that holds several, and what becomes of it there. */
export const choosing = {
  pattern: z.string().min(1).default('*'),
  ready: z.string().min(1).optional(),
  settle: duration.prefault('5s'),
  after: z.enum(['keep', 'move', 'delete']).default('keep'),
  moveTo: z.string().min(1).default('taken'),
  deadline: duration.prefault('1h'),
  maxFiles: z.int().min(1).max(200_000).optional(),
  on: labels.min(1).optional(),
};

/** A folder on this machine, as written. */
export const directorySource = z.strictObject({
  type: z.literal('directory'),
  path: z.string().min(1),
  ...choosing,
  followLinks: z.boolean().default(false),
});

export type DirectorySource = z.output<typeof directorySource>;
