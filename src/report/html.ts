import { html } from '../wording/html.ts';
import { outcomeSentence } from '../wording/words.ts';
import type { IssueDigest } from './digest.ts';
import type { ReportInput } from './input.ts';
import { balanceSection } from './page/balance.ts';
import { datasetSection, factsSection, receiptSection, timelineSection } from './page/facts.ts';
import { diffSection } from './page/diff.ts';
import { issuesSection } from './page/issues.ts';
import { outcomeHeader } from './page/outcome.ts';
import { readingsSection } from './page/readings.ts';
import { rejectionsSection } from './page/rejections.ts';
import { page } from './page/shell.ts';
import { signalsSection } from './page/signals.ts';

/** The report as one page that needs nothing else: outcome in words first, then the rows, the proof, the facts. */
export function htmlReport(input: Pick<ReportInput, 'answer' | 'events' | 'timeZone'>, issues: IssueDigest[]): string {
  const { answer, events, timeZone } = input;
  return page({
    title: `${answer.sandbox ? 'SANDBOX ' : ''}${outcomeSentence(answer)}`,
    sandbox: answer.sandbox,
    top: outcomeHeader(answer, timeZone),
    body: [
      readingsSection(answer),
      signalsSection(answer),
      diffSection(answer),
      balanceSection(answer),
      issuesSection(issues, answer.unreadable),
      rejectionsSection(answer),
      receiptSection(answer),
      datasetSection(answer),
      timelineSection(events, timeZone),
      factsSection(answer, timeZone),
    ],
    foot: html`offerline · run ${answer.run}`,
  });
}
