import type { RowCause } from '../model.ts';
import { firstByDemand } from '../parts/demand.ts';
import { html, type Html } from '../wording/html.ts';
import { groupCauses } from './causes.ts';
import { partNamer, type ReportInput, type StoredIssue, type StoredRejection } from './input.ts';
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

/** What a page says of a run's issues and rejections: their causes, and the first ones one by one, those in most demand before others. */
export type Found = { causes: RowCause[]; issues: StoredIssue[]; rejections: StoredRejection[] };

/** Reads what a page says of the rows: both streams to their ends. */
export async function findRows(
  input: Pick<ReportInput, 'issues' | 'rejections' | 'columns' | 'demand'>,
): Promise<Found> {
  const causes = await groupCauses(input);
  const issues = await firstByDemand(input.issues(), LISTED_ROWS, input.demand, partNamer(input.columns.issues));
  const rejections = await firstByDemand(input.rejections(), LISTED_ROWS, input.demand, (rejection) => rejection);
  return { causes, issues, rejections };
}

/**
 * The report as one page that needs nothing else, in the reader's language: what happened, what is live now, what changed, why rows
 * are missing, what to do; then, folded, the rows, the proof and the facts.
 */
export function htmlReport(input: ReportInput, { causes, ...rows }: Found): string {
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
      rowsSection(input, rows),
      factSections(input),
    ],
    foot: html`offerline`,
  });
}

/** The sections for those who want to know exactly: proof, timeline, technical facts; all folded. */
export function factSections(input: ReportInput): Html[] {
  return [proofSection(input), timelineSection(input), technicalSection(input)];
}
