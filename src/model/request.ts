/** What may need a second person. */
export type RequestAction = 'approve' | 'rollback';

/** How a request ended: somebody agreed, declined or withdrew it, a day was over, or it was not possible any more. */
export type RequestEnd = 'agreed' | 'declined' | 'withdrawn' | 'expired' | 'overtaken';

/** What a person asked for and a second one has to agree to. */
export type DecisionRequest = {
  request: string;
  action: RequestAction;
  login: string;
  /** Null when it concerns the login as a whole. */
  feed: string | null;
  /** The run that is to be approved. */
  run: string | null;
  /** The upload that is to be gone back to. */
  upload: string | null;
  by: string;
  reason: string;
  since: number;
  /** From then on nobody can agree any more. */
  until: number;
  /** How it ended, in a sentence as well; null while it waits. */
  ended: { how: RequestEnd; at: number; by: string | null; text: string } | null;
};
