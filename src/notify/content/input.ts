import type { Audience } from '../../incidents.ts';
import type { IncidentWork, LiveChange, RecentDelivery, RowCause, RunAnswer } from '../../model.ts';
import type { Demand } from '../../parts/demand.ts';
import type { Language } from '../../wording/language/language.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import type { Attachment } from '../attachment.ts';

/** What a mail about a run is made from. */
export type MailInput = {
  answer: RunAnswer;
  /** Why the run ended as it did: a code with its facts, or the sentence of an earlier version. */
  reason: RunReason | string | null;
  /** What people call the supplier. */
  supplier: string;
  language: Language;
  audience: Audience;
  /** Where the console is that readers can open; null where there is none. */
  console: string | null;
  /** Why rows are rejected or doubtful, those that cost the most rows first. */
  causes: RowCause[];
  /** How the last deliveries ended, the oldest first. */
  strip: RecentDelivery[];
  /** What is known of the demand for parts: those that people look for most come first. */
  demand: Demand;
  /** What a run that is live changed. */
  change: LiveChange | null;
  /** The run's CSV report; null when there is none. */
  csv: string | null;
  /** The charset of the CSV. Default: UTF-8. */
  csvCharset?: string | undefined;
  /** What goes with the mail beside the CSV, and what had to be left out, in sentences. */
  others?: { attachments: Attachment[]; notes: string[] } | undefined;
  /** The incidents that this mail announces or ends, by their ids. */
  incidents: readonly string[];
  /** Who works on those of them that are open, and which are quiet. */
  work: readonly IncidentWork[];
};
