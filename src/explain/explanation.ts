import index from './explanations.json' with { type: 'json' };

/** What can be explained: how a run ended and why, what is wrong in a file, an incident, an error, a setting and so on. */
export type Kind =
  'outcome' | 'cause' | 'issue' | 'incident' | 'error' | 'exit status' | 'setting' | 'variable' | 'log line';

/** What a code, a setting or a message means. */
export type Explanation = {
  kind: Kind;
  /** How it is written: `held`, `oem-empty`, `guard.maxRowDrop`, `3`. */
  code: string;
  /** What it means, and how it comes about; Markdown. */
  meaning: string;
  /** What to do, each a step; Markdown. */
  steps: string[];
  /** How it looks where people meet it; null where it is shown as its code alone. */
  example: string | null;
  /** The page of the documentation that has more, with its section. */
  page: string;
};

/** A message with `…` for what is known only when it happens, and the place of its explanation in the list. */
export type Template = { text: string; explanation: number };

/** All explanations, in the order in which they are looked through. */
export const EXPLANATIONS = index.explanations as readonly Explanation[];

/** All messages that offerline knows it can say. */
export const TEMPLATES: readonly Template[] = index.messages.map(([text, explanation]) => ({
  text: text as string,
  explanation: explanation as number,
}));
