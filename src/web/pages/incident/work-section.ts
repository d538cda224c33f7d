import type { IncidentAnswer } from '../../../jobs/standing/incident-answer.ts';
import { peopleNow, type People } from '../../../jobs/alerts/people.ts';
import { workOn } from '../../../ledger/alerts/incident-work.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { workSentences } from '../../../wording/managers/work-words.ts';
import { LONGEST_REASON } from '../../actions/world.ts';
import { decisionForm, type DecisionForm } from '../../parts/decision.ts';
import { moment } from '../../parts/moment.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import { MAY } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';

/** Who works on an incident, what was done about it, and the forms for both. */
export async function workSection(incident: IncidentAnswer, visit: Visit): Promise<Html> {
  const { language } = visit;
  const { say } = language;
  const { until, taken, quiet } = incident;
  const isOver = until !== null;
  const people = await peopleNow(visit.ctx);
  const nobody = !isOver && taken === null && quiet === null;
  return html`<section id="work">
    <h2>${say('web.work.title')}</h2>
    ${nobody && html`<p>${say('web.work.nobody')}</p>`}
    ${!isOver && workSentences(incident, language, 'digest').map((text) => html`<p class="say waiting"><bdi>${text}</bdi></p>`)}
    ${await history(incident.incident, visit)}
    ${mayDo(MAY.decide, visit) && forms(incident, people, visit).map((form) => decisionForm(form, language))}
  </section>`;
}

/** Who did what about it, the oldest first. Only notes are in words of people. */
async function history(id: string, { ctx, language }: Visit): Promise<Part> {
  const done = await workOn(ctx.ledger.db, [id]);
  if (done.length === 0) return null;
  return html`<ul class="steps">
    ${done.map(
      ({ at, who, action, reason }) =>
        html`<li>
          ${moment(at, language)} <bdi>${who}</bdi> ${language.say(`web.audit.${action}`)}:
          ${action === 'note-incident' ? html`<bdi>${reason}</bdi>` : programsWords(reason, language)}
        </li>`,
    )}
  </ul>`;
}

function forms({ incident, until, taken, quiet, feed }: IncidentAnswer, people: People, visit: Visit): DecisionForm[] {
  const { language, visitor } = visit;
  const { say } = language;
  const common = { twice: { risk: false, text: say('web.twice.nothing') }, reason: false } as const;
  const action = (what: string) => `/incidents/${incident}/${what}`;
  const note = { ...common, title: say('web.work.note'), says: [say('web.work.note.says')], action: action('note') };
  const noteForm = { ...note, fields: noteField(visit), button: say('web.work.note') };
  if (until !== null) return [noteForm];
  const isOthers = taken !== null && !taken.gone && !people.areSame(taken.by, visitor.name);
  const isMine = taken !== null && !taken.gone && !isOthers;
  // Whoever has it when the form is sent, and had it when it was shown, knows that it may be taken from them.
  const from = isOthers ? html`<input type="hidden" name="from" value="${taken.by}" />` : null;
  const take = isOthers
    ? { title: say('web.work.takeOver'), says: [say('web.work.takeOver.says', { who: taken.by })] }
    : { title: say('web.work.take'), says: [say('web.work.take.says')] };
  return [
    ...(isMine ? [] : [{ ...common, ...take, action: action('take'), fields: from, button: take.title }]),
    noteForm,
    {
      ...common,
      title: say('web.work.quiet'),
      says: [say('web.work.quiet.says')],
      action: action('quiet'),
      fields: quietFields({ feed, quiet }, visit),
      button: say('web.work.quiet'),
    },
    {
      ...common,
      title: say('web.work.give'),
      says: [say('web.work.give.says')],
      action: action('give'),
      fields: [from, giveField(visit)],
      button: say('web.work.give'),
    },
    ...(taken === null && quiet === null
      ? []
      : [
          {
            ...common,
            title: say('web.work.release'),
            says: [say('web.work.release.says')],
            action: action('release'),
            fields: from,
            button: say('web.work.release'),
          },
        ]),
  ];
}

function noteField({ language: { say } }: Visit): Html {
  return html`<p>
    <label for="work-note">${say('web.work.text')}</label>
    <textarea id="work-note" name="text" required maxlength="${LONGEST_REASON}"></textarea>
  </p>`;
}

function giveField({ language: { say } }: Visit): Html {
  return html`<p>
    <label for="work-to">${say('web.work.to')}</label>
    <input id="work-to" name="to" required maxlength="254" />
  </p>`;
}

function quietFields({ feed, quiet }: Pick<IncidentAnswer, 'feed' | 'quiet'>, { language: { say }, ctx }: Visit): Html {
  const all = ['now', 'delivery', 'worse', 'time'] as const;
  const ends = all.filter((end) => (end !== 'now' || quiet !== null) && (end !== 'delivery' || feed !== null));
  return html`<p>
      <label for="work-until">${say('web.work.until')}</label>
      <select id="work-until" name="until">
        ${ends.map((end) => html`<option value="${end}">${say(`web.work.until.${end}`)}</option>`)}
      </select>
    </p>
    <p>
      <label for="work-at">${say('web.work.at', { zone: ctx.config.web.timezone })}</label>
      <input id="work-at" type="datetime-local" name="at" />
    </p>`;
}
