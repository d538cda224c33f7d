import type { HeldDiff } from './diff.ts';
import type { TrippedGuard } from './guard.ts';
import type { FeedRejection } from './upload.ts';

/** What a decision would do to the rows of one feed: live ones before and after it. `run`: where those after it come from. */
export type EffectOnFeed = {
  feed: string;
  run: string | null;
  /** Null when nothing was live. */
  before: number | null;
  after: number;
  rejected: number;
};

/** What a decision that was rehearsed would do to what is live of its login. */
export type RehearsedEffect = {
  /** All of it in a few plain sentences. */
  sentence: string;
  /** Live rows of the login; `before` is null when nothing is live. */
  live: { before: number | null; after: number | null };
  /** By feed; empty when nothing would be uploaded. */
  feeds: EffectOnFeed[];
  /** What would be sent against what was sent last; null when one of the two is not there. */
  change: HeldDiff | null;
  /** What a service like the sandbox rejects, with the first rows of each feed. */
  rejected: { rows: number; examples: FeedRejection[] };
  /** What the guards of the whole dataset say of it; they do not stop what a person decided. */
  guards: { guard: string; sentence: string; facts: TrippedGuard }[];
  /** Why the run was held: what an approval would overrule; null for other decisions. */
  lifts: string | null;
  /** Feeds that would be frozen by it. */
  freezes: string[];
};
