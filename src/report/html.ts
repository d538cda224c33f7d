import type { RowCause } from '../model.ts';
import { html, type Html } from '../wording/html.ts';
import type { ReportInput, StoredIssue } from './input.ts';
import { causesSection } from './page/causes.ts';
import { changeSection } from './page/change.ts';
import { proofSection, technicalSection, timelineSection } from './page/facts.ts';
import { goneSection } from './page/gone.ts';
import { liveSection } from './page/live.ts';
import { outcomeHeader, stepsSection, title } from './page/outcome.ts';
import { readingsSection } from './page/readings.ts';
import { LISTED_ROWS, rowsSection } from './page/rows.ts';
import { page } from './page/shell.ts';
import { signalsSection } from './page/signals.ts';

/** What a page says of a run's issues and rejections: their causes, and the first issues one by one. */
export type Found = { causes: RowCause[]; issues: StoredIssue[] };

/**
 * The report as one page that needs nothing else, in the reader's language: what happened, what is live now, what changed, why rows
 * are missing, what to do; then, folded, the rows, the proof and the facts.
 */
export function htmlReport(input: ReportInput, { causes, issues }: Found): string {
  const { answer, language } = input;
  return page({
    title: `${answer.sandbox ? 'SANDBOX ' : ''}${title(input, causes)}`,
    language,
    sandbox: answer.sandbox,
    top: outcomeHeader(input, causes),
    body: [
      liveSection(input),
      goneSection(input),
      changeSection(input),
      signalsSection(input),
      readingsSection(input),
      causesSection(input, causes),
      stepsSection(input),
      rowsSection(input, issues),
      factSections(input),
    ],
    foot: html`offerline`,
  });
}

/** The sections for those who want to know exactly: proof, timeline, technical facts; all folded. */
export function factSections(input: ReportInput): Html[] {
  return [proofSection(input), timelineSection(input), technicalSection(input)];
}

/** The issues that a page lists one by one. */
export async function listedIssues({ issues }: Pick<ReportInput, 'issues'>): Promise<StoredIssue[]> {
  const listed: StoredIssue[] = [];
  for await (const issue of issues()) {
    listed.push(issue);
    if (listed.length === LISTED_ROWS) break;
  }
  return listed;
}
