import { stageToRepeat } from '../../../jobs/decisions/failed-runs.ts';
import { RERUN_STAGES } from '../../../jobs/decisions/rerun-stages.ts';
import { hasReadings } from '../../../jobs/decisions/take-reading.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { RowsDiff, RunAnswer } from '../../../model.ts';
import { HEADINGS } from '../../../wording/columns/accepted-column.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { readingText } from '../../../wording/managers/reading-words.ts';
import { decisionForm, type DecisionForm } from '../../parts/decision.ts';
import { evidenceFor } from '../../parts/reasons/read-as.ts';
import { MAY } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';
import { secondForms, waitingNotice, type Second } from '../requests.ts';

/** What forms say of a run; `diff`: what approving it would change, `second`: how that stands where a second person has to agree. */
type Decided = Pick<RunAnswer, 'rows' | 'mapping' | 'readings'> & { diff: RowsDiff | null; second: Second | null };

/** What the visitor can decide about a run, each with what it will do; nothing for those who may not. */
export function decisionsAbout(run: RunRow, answer: Decided, visit: Visit): Part {
  const { language } = visit;
  const forms = formsFor(run, answer, visit);
  if (forms.length === 0) return null;
  return html`<section id="decide" aria-labelledby="decide-title">
    <h2 id="decide-title">${language.say('web.decide.title')}</h2>
    ${waitingNotice(answer.second, language)}
    ${mayDo(MAY.decide, visit) ? forms.map((form) => decisionForm(form, language)) : html`<p class="soft">${language.say('web.decide.notYou')}</p>`}
  </section>`;
}

function formsFor(run: RunRow, answer: Decided, visit: Visit): DecisionForm[] {
  const approval =
    run.outcome === 'held' && run.rows_sha !== null
      ? secondForms(approve(run, answer, visit), answer.second, visit.language)
      : [];
  const forms: (DecisionForm | null)[] = [
    ...approval,
    hasReadings(run) ? reading(run, answer, visit) : null,
    waitsForColumns(run) ? columns(run, answer, visit) : null,
    run.outcome === 'held' || (run.outcome === null && run.intent === null) ? reject(run, visit) : null,
    run.outcome === null ? null : rerun(run, visit),
  ];
  return forms.filter((form) => form !== null);
}

/** A run that is held for its columns, or that lacks one. */
function waitsForColumns({ outcome, options, detection, issues }: RunRow): boolean {
  if (options.cause === 'unsure' && detection?.sure === false) return false;
  const proposed = (detection?.mapping ?? []).some(({ sure }) => !sure);
  return (outcome === 'held' && proposed) || (outcome === 'rejected' && (issues?.['column-missing'] ?? 0) > 0);
}

function approve({ id, feed, login }: RunRow, { rows, diff }: Decided, { language: { say } }: Visit): DecisionForm {
  const changes =
    diff === null ? [] : [say('web.approve.diff', { added: diff.added, removed: diff.removed, changed: diff.changed })];
  return {
    title: say('web.approve.title'),
    says: [say('web.approve.says', { rows: rows.accepted, feed, login }), ...changes],
    twice: { risk: false, text: say('web.twice.never') },
    action: `/runs/${id}/approve`,
    reason: true,
    button: say('web.approve.button'),
    rehearse: { action: `/runs/${id}/rehearse`, button: say('web.rehearse.button') },
  };
}

function reject({ id, feed }: RunRow, { language: { say }, ctx }: Visit): DecisionForm {
  const isFull = (ctx.config.feeds[feed]?.delivery ?? 'full') === 'full';
  return {
    title: say('web.reject.title'),
    says: [say(isFull ? 'web.reject.says' : 'web.reject.says.changes', { feed })],
    twice: { risk: false, text: say('web.twice.nothing') },
    action: `/runs/${id}/reject`,
    reason: true,
    button: say('web.reject.button'),
    confirm: say('web.reject.confirm'),
  };
}

function columns({ id, feed, detection }: RunRow, { mapping }: Decided, visit: Visit): DecisionForm {
  const { language } = visit;
  const { say } = language;
  const header = detection?.columns ?? [];
  return {
    title: say('web.columns.title'),
    says: [say('web.columns.says', { feed })],
    twice: { risk: false, text: say('web.twice.reread') },
    action: `/runs/${id}/columns`,
    fields: columnFields(mapping, header, visit),
    reason: true,
    button: say('web.columns.button'),
  };
}

/** For each key a choice among the columns of the file; what is proposed is chosen already, with its evidence. */
function columnFields(mapping: RunAnswer['mapping'], header: readonly string[], { ctx, language }: Visit): Html {
  const { say } = language;
  const keys = Object.keys(ctx.config.offer.columns);
  return html`<div class="fields">
    ${keys.map((key) => {
      const proposed = mapping.find((one) => one.key === key);
      return html`<p>
        <label for="column-${key}">${key}</label>
        <select id="column-${key}" name="column-${key}">
          <option value="">${say('web.columns.none')}</option>
          ${proposed?.position === HEADINGS && html`<option value="headings" selected>${say('columns.above')}</option>`}
          ${header.map(
            (name, at) =>
              html`<option value="${at + 1}" ${proposed?.position === at + 1 && html`selected`}>
                ${at + 1}: ${name}
              </option>`,
          )}
        </select>
        ${proposed?.evidence !== undefined && html`<br /><span class="soft">${evidenceFor(proposed.evidence, language)}</span>`}
      </p>`;
    })}
  </div>`;
}

function reading({ id, feed }: RunRow, { readings }: Decided, { language }: Visit): DecisionForm {
  const { say } = language;
  return {
    title: say('web.reading.title'),
    says: [say('web.reading.says', { feed })],
    twice: { risk: false, text: say('web.twice.reread') },
    action: `/runs/${id}/reading`,
    fields: html`<div role="radiogroup" aria-label="${say('web.reading.title')}">
      ${readings.map(
        (one, at) =>
          html`<label class="choice"
            ><input type="radio" name="reading" value="${at + 1}" required /> ${readingText(one, language)}</label
          >`,
      )}
    </div>`,
    reason: true,
    button: say('web.reading.button'),
  };
}

function rerun(run: RunRow, { language: { say } }: Visit): DecisionForm {
  const usual = stageToRepeat(run);
  const has = { pull: true, validate: run.delivery_sha !== null, upload: run.rows_sha !== null, report: true };
  return {
    title: say('web.rerun.title'),
    says: [say('web.rerun.says')],
    twice: { risk: false, text: say('web.twice.rerun') },
    action: `/runs/${run.id}/rerun`,
    fields: html`<div role="radiogroup" aria-label="${say('web.rerun.from')}">
      ${RERUN_STAGES.filter((stage) => has[stage]).map(
        (stage) =>
          html`<label class="choice"
            ><input type="radio" name="from" value="${stage}" ${stage === usual && html`checked`} />
            ${say(`web.rerun.from.${stage}`)}</label
          >`,
      )}
    </div>`,
    reason: false,
    button: say('web.rerun.button'),
  };
}
