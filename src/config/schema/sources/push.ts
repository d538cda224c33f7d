import { z } from '../zod.ts';
import { choosing } from './folders.ts';

const written = z.strictObject({
  type: z.literal('push'),
  pattern: choosing.pattern,
  take: choosing.take,
  files: choosing.files,
  manifest: choosing.manifest,
  count: choosing.count,
  completeWithin: choosing.completeWithin,
  incomplete: choosing.incomplete,
});

/** What holds for files that were pushed: they are in the archive, whole, and stay there; others of a delivery may follow. */
const ALWAYS = { settle: 5000, after: 'keep', moveTo: 'taken', deadline: 3_600_000, timeout: 30_000 } as const;

/** Files that are sent to the console. `feed`: to which they are; it is their place. */
export type PushSource = z.output<typeof written> &
  typeof ALWAYS & { feed: string; ready?: undefined; result?: undefined; maxFiles?: undefined; on?: undefined };

/** Files that are sent to the console, as written; which feed it is of is known once all are read. */
export const pushSource = written.transform((source): PushSource => ({ ...ALWAYS, ...source, feed: '' }));
