/** Who reads: category managers in mails and reports, ops in a terminal. */
export type Reader = (typeof READERS)[number];

export const READERS = ['managers', 'ops'] as const;

/** What a cause means and what to do about it. */
export type CauseWords = {
  /** What happened, for a run that gives no reason of its own. */
  headline: string;
  /** What it means, in whole sentences. */
  meaning: string;
  /** Whether what the supplier had live before is sure to be live still. */
  stays: boolean;
  /** What to do, in whole sentences with at most one command each, in backquotes; `{run}`, `{feed}`, `{login}` are filled in. */
  steps: Record<Reader, readonly string[]>;
};

/** The same for every reader. */
export function both(...steps: string[]): CauseWords['steps'] {
  return { managers: steps, ops: steps };
}
