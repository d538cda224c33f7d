/** What a cause means and what ops can do about it; what managers read is in src/wording/managers. */
export type CauseWords = {
  /** What happened, for a run that gives no reason of its own. */
  headline: string;
  /** What it means, in whole sentences. */
  meaning: string;
  /** Whether what the supplier had live before is sure to be live still. */
  stays: boolean;
  /** What to do, in whole sentences with at most one command each, in backquotes; `{run}`, `{feed}`, `{login}` are filled in. */
  steps: readonly string[];
};
