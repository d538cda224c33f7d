import { incidentAnswers, type IncidentAnswer } from '../../../jobs/standing/incident-answer.ts';
import { factsOf } from '../../../ledger/alerts/incidents.ts';
import { html, prose, type Part } from '../../../wording/html.ts';
import { namedIncident } from '../../named.ts';
import { doneNotice } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { sayIncident, type SaidIncident } from '../../parts/reasons/incident.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';
import { workSection } from './work-section.ts';

/** One incident: since when, what it means, what to do, and who works on it. */
export async function incidentPage(visit: Visit): Promise<Answer> {
  const { ctx, url, language } = visit;
  const row = await namedIncident(visit);
  const said = sayIncident(factsOf(row), visit);
  const [incident] = await incidentAnswers([row], ctx);
  const body = html`${doneNotice(url, language)} ${incident !== undefined && incidentBody(incident, said, visit)}
  ${incident !== undefined && (await workSection(incident, visit))}`;
  return { page: { title: said.title, body, section: '/incidents' } };
}

function incidentBody(incident: IncidentAnswer, said: SaidIncident, { language }: Visit): Part {
  const { say, number } = language;
  const { title, why, meaning, steps, commands } = said;
  const { since, until, recovery, times, lastSeen, lastTold, feed, login, run } = incident;
  return html`
    <h1><bdi>${title}</bdi></h1>
    <p class="verdict ${until === null ? 'bad' : 'good'}">
      ${until === null ? say('web.incidents.open') : html`${say('web.incidents.over')}: ${recovery !== null && programsWords(recovery, language)}`}
    </p>
    ${why !== null && html`<p>${why}</p>`}
    <p class="lead">${prose(meaning)}</p>
    <p class="soft"><a href="/docs?q=${encodeURIComponent(incident.kind)}">${say('web.why')}</a></p>
    ${
      steps.length > 0 &&
      html`<h2>${say('web.incidents.steps')}</h2>
        <ol class="steps">
          ${steps.map((step) => html`<li>${prose(step)}</li>`)}
        </ol>`
    }
    ${
      commands.length > 0 &&
      html`<h2>${say('web.incidents.commands')}</h2>
        <ul class="steps">
          ${commands.map((command) => html`<li><code>${command}</code></li>`)}
        </ul>`
    }
    <dl class="facts">
      <dt>${say('web.users.since')}</dt>
      <dd>${moment(since, language)}</dd>
      ${
        until !== null &&
        html`<dt>${say('web.incidents.until')}</dt>
          <dd>${moment(until, language)}</dd>`
      }
      <dt>${say('web.incidents.seen')}</dt>
      <dd>${number(times)}, ${moment(lastSeen, language)}</dd>
      <dt>${say('web.incidents.told')}</dt>
      <dd>${moment(lastTold, language)}</dd>
      ${
        login !== null &&
        html`<dt>${say('web.now.login')}</dt>
          <dd>${login}</dd>`
      }
      ${
        feed !== null &&
        html`<dt>${say('web.part.feed')}</dt>
          <dd><a href="/feeds/${encodeURIComponent(feed)}">${feed}</a></dd>`
      }
      ${
        run !== null &&
        html`<dt>${say('web.run.run')}</dt>
          <dd><a href="/runs/${run}">${run}</a></dd>`
      }
    </dl>
  `;
}
