import { INCIDENTS, type IncidentKind } from '../../../incidents.ts';
import { listIncidents, type IncidentLine } from '../../../jobs/standing/lists/incidents.ts';
import { SEVERITY_TONES } from '../../../jobs/standing/tone.ts';
import { html, prose, type Html, type Part } from '../../../wording/html.ts';
import { workSentences } from '../../../wording/managers/work-words.ts';
import { filterForm, filterValue } from '../../parts/filter.ts';
import { sayIncident, titleOfKind, wholeName } from '../../parts/reasons/incident.ts';
import { moment } from '../../parts/moment.ts';
import { pager, placeIn } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';

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
        >${why !== null && html`<br /><span class="soft">${why}</span>`}${
          until === null &&
          workSentences(incident, language).map((text) => html`<br /><span class="soft"><bdi>${text}</bdi></span>`)
        }`,
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
