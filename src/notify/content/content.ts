import type { RecentDelivery } from '../../model.ts';
import type { Language } from '../../wording/language/language.ts';
import { shortened } from '../../wording/printable.ts';

/** How a mail looks at a glance. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A list under a heading; `more` says what was left out. */
export type ContentList = { heading: string; items: { head: string; details: string[] }[]; more: string | null };

/** How the last deliveries of a supplier ended, the oldest first, and the same in a sentence. */
export type ContentStrip = { outcomes: RecentDelivery['outcome'][]; text: string };

/** Rows that stayed, came and went, for a picture; the sentence beside it says the same. */
export type ContentChange = {
  heading: string;
  sentence: string;
  bar: { kept: number; added: number; removed: number };
};

/** What a mail says, before it is set as text or as HTML, so that both parts say the same. */
export type Content = {
  language: Language;
  sandbox: boolean;
  tone: Tone;
  title: string;
  why: string | null;
  meaning: string;
  /** What is live now and since when. */
  standing: [string, string][];
  strip: ContentStrip | null;
  change: ContentChange | null;
  lists: ContentList[];
  /** Pages of the console, each with what it is. */
  links: [string, string][];
  /** What to do, and who does it. */
  steps: string[];
  /** The names of the readings in question, and what each makes of the sample rows. */
  readings: { names: string[]; rows: { place: string; texts: string[] }[] };
  /** What belongs to the attachments. */
  note: string | null;
  facts: [string, string][];
  /** For ops: what the program said, and commands. */
  technical: { facts: [string, string][]; commands: string[] } | null;
};

/** What mails that show no file leave empty. */
export const NO_FILE = {
  why: null,
  standing: [],
  strip: null,
  change: null,
  readings: { names: [], rows: [] },
  note: null,
} satisfies Partial<Content>;

const VALUE_LENGTH = 60;

/** A text on one line, cut where it is too long for a mail. */
export function short(text: string, length = VALUE_LENGTH): string {
  return shortened(text.replaceAll(/\s+/g, ' '), length);
}
