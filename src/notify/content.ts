import type { ComparedRow } from '../wording/files/side-by-side.ts';

/** How a mail looks at a glance. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A list under a heading; `more` says what was left out. */
export type ContentList = { heading: string; items: { head: string; detail: string | null }[]; more: string | null };

/** What a mail says, before it is set as text or as HTML, so that both parts say the same. */
export type Content = {
  sandbox: boolean;
  tone: Tone;
  sentence: string;
  /** The sentence in words of ours alone, for a subject, where the other is made from a reason. */
  headline: string | null;
  reason: string | null;
  meaning: string;
  /** What is live of the feed beside what came of this file. */
  standing: [string, string][];
  steps: string[];
  /** The names of the readings in question, and what each makes of the sample rows. */
  readings: { names: string[]; rows: ComparedRow[]; lines: string[] };
  account: [string, string][];
  lists: ContentList[];
  facts: [string, string][];
  note: string | null;
};

/** What mails that show no file leave empty. */
export const NO_FILE = {
  headline: null,
  standing: [],
  readings: { names: [], rows: [], lines: [] },
  account: [],
  note: null,
} satisfies Partial<Content>;

const VALUE_LENGTH = 60;

/** A text on one line, cut where it is too long for a mail. */
export function short(text: string, length = VALUE_LENGTH): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}
