import { OfferlineError } from '../../../errors.ts';
import { INCIDENTS, type IncidentKind } from '../../../incidents.ts';
import { incidentAnswer, type IncidentAnswer } from '../../../jobs/standing/incident-answer.ts';
import { listIncidents, type IncidentLine } from '../../../jobs/standing/lists/incidents.ts';
import { SEVERITY_TONES } from '../../../jobs/standing/tone.ts';
import { factsOf, findIncident } from '../../../ledger/alerts/incidents.ts';
import { html, prose, type Html, type Part } from '../../../wording/html.ts';
import { filterForm, filterValue } from '../../parts/filter.ts';
import { sayIncident, titleOfKind, wholeName, type SaidIncident } from '../../parts/reasons/incident.ts';
import { moment } from '../../parts/moment.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import { pager, placeIn } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import type { Answer } from '../../route.ts';
import { assertSees, type Visit } from '../../visit.ts';

/** What is wrong, the gravest first; or what was. */
export async function incidentsPage(visit: Visit): Promise<Answer> {
  const { ctx, language, url, cell, visitor } = visit;
  const { say } = language;
  const kind = filterValue(url, 'kind');
  const filter = {
    feeds: visitor.feeds,
    open: filterValue(url, 'state') !== 'over',
    kinds: isKind(kind) ? [kind] : undefined,
    feed: filterValue(url, 'feed'),
    login: filterValue(url, 'login'),
  };
  const found = await listIncidents(filter, placeIn(url), ctx);
  const list = cell('incidents', html`${incidentsTable(found.rows, visit)} ${pager(found, url, language)}`, 'div');
  if (visit.onlyCells) return { page: { title: say('web.nav.incidents'), body: list } };
  const body = html`
    <h1>${say('web.nav.incidents')}</h1>
    ${filterForm(
      url,
      [
        {
          name: 'state',
          label: say('web.users.state'),
          options: [{ value: 'over', label: say('web.incidents.over') }],
          none: say('web.incidents.open'),
        },
        {
          name: 'kind',
          label: say('web.feed.kind'),
          options: KINDS.map((value) => ({ value, label: titleOfKind(value, language) })),
        },
        { name: 'feed', label: say('web.part.feed'), type: 'search' },
        { name: 'login', label: say('web.now.login'), type: 'search' },
      ],
      language,
    )}
    ${list}
  `;
  return { page: { title: say('web.nav.incidents'), body, section: '/incidents' } };
}

const KINDS = Object.keys(INCIDENTS) as IncidentKind[];

function isKind(text: string | undefined): text is IncidentKind {
  return text !== undefined && Object.hasOwn(INCIDENTS, text);
}

function incidentsTable(incidents: IncidentLine[], visit: Visit): Html {
  const { language } = visit;
  const { say } = language;
  if (incidents.length === 0) return html`<p class="verdict good">${say('web.incidents.none')}</p>`;
  const columns = [
    { title: say('web.incidents.what') },
    { title: say('web.part.feed') },
    { title: say('web.users.since') },
    { title: say('web.now.next') },
  ];
  const rows = incidents.map((incident): Part[] => {
    const { severity, since, until, feed, login, run } = incident;
    const { title, why, steps } = sayIncident(incident.facts, visit);
    return [
      html`<span class="tone ${until === null ? SEVERITY_TONES[severity] : 'quiet'}">●</span>
        <a href="/incidents/${incident.incident}"><bdi>${title}</bdi></a
        >${why !== null && html`<br /><span class="soft">${why}</span>`}`,
      feed === null
        ? login !== null && wholeName(login, language)
        : html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a>`,
      html`${moment(since, language)}${until !== null && html` – ${moment(until, language)}`}`,
      run !== null && until === null
        ? html`<a class="next" href="/runs/${run}">${say('web.action.look')}</a>`
        : steps[0] !== undefined && prose(steps[0]),
    ];
  });
  return table(say('web.nav.incidents'), columns, rows);
}

/** One incident: since when, what it means, and what to do. */
export async function incidentPage(visit: Visit): Promise<Answer> {
  const { ctx, params } = visit;
  const id = params['incident'] ?? '';
  const row = await findIncident(ctx.ledger.db, id);
  if (row === undefined)
    throw new OfferlineError('not-found', `There is no incident ${id}, or it is of no feed that you see.`);
  assertSees(row.feed, visit, `incident ${id}`);
  const said = sayIncident(factsOf(row), visit);
  return { page: { title: said.title, body: incidentBody(incidentAnswer(row), said, visit), section: '/incidents' } };
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
