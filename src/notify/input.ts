import type { Severity, RunAnswer } from '../model.ts';
import type { Attachment } from './attachment.ts';

/** All issues of one kind, with the first of them. */
type MailedIssues = {
  title: string;
  severity: Severity;
  count: number;
  examples: { sheet?: string | null; line: number | null; value: string | null; message: string }[];
};

/** What a mail about a run is made from. */
export type MailInput = {
  answer: RunAnswer;
  /** Issues by kind, the most important first. */
  issues: MailedIssues[];
  /** The run's CSV report; null when there is none. */
  csv: string | null;
  /** The charset of the CSV. Default: UTF-8. */
  csvCharset?: string | undefined;
  /** What goes with the mail beside the CSV, and what had to be left out, in sentences. */
  others?: { attachments: Attachment[]; notes: string[] } | undefined;
  /** The incidents that this mail announces or ends, by their ids. */
  incidents: readonly string[];
  /** For the times that people read; IANA name. Default: UTC. */
  timeZone?: string | undefined;
};
