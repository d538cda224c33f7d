import { html, prose, type Html, type Part } from '../../wording/html.ts';
import { outcomeWord, runMeaning, runSteps, runTitle, runWhy } from '../../wording/managers/run-words.ts';
import type { RowCause } from '../../model.ts';
import type { ReportInput } from '../input.ts';
import { section } from './parts.ts';
import { shortened } from '../../wording/printable.ts';

/** A reason of an earlier version may quote a whole reply of a server. */
const LONGEST_REASON = 700;

/** What happened, without markup: the heading of the page. */
export function title({ answer, reason, supplier, language }: ReportInput, causes: RowCause[]): string {
  const lost = causes.filter(({ severity }) => severity === 'error');
  return runTitle({ ...answer, reason }, { supplier, causes: lost.length }, language);
}

/** The top of the page: which delivery it is, what happened, why (`said`, else as managers are told), and what that means. */
export function outcomeHeader(input: ReportInput, causes: RowCause[], said: Html | null = null): Html {
  const { answer, reason, language } = input;
  const { outcome, finishedAt, createdAt, delivery } = answer;
  const told = runWhy({ ...answer, reason }, language);
  const why = said ?? (told === null ? null : html`<bdi>${shortened(told, LONGEST_REASON)}</bdi>`);
  const when = language.moment(finishedAt ?? createdAt);
  const which: Part =
    delivery === null
      ? when
      : html`${language.say('report.delivery')} <bdi class="value">${delivery.name.slice(0, 200)}</bdi> · ${when}`;
  return html`<p class="whose">${which}</p>
    <h1><bdi>${title(input, causes)}</bdi></h1>
    <p><span class="badge ${outcome ?? 'running'}">${outcomeWord(outcome, language)}</span></p>
    ${why !== null && html`<p class="reason ${outcome ?? ''}">${why}</p>`}
    <p class="lead">${runMeaning({ ...answer, reason }, language)}</p>`;
}

/** What to do, and who does it. */
export function stepsSection({ answer, language }: ReportInput): Html {
  const steps = runSteps(answer, language);
  if (steps.length === 0) return html``;
  return section('steps', language.say('report.steps.title'), [
    html`<ol class="steps">
      ${steps.map((step) => html`<li>${prose(step)}</li>`)}
    </ol>`,
  ]);
}
