import type { ServiceMonth } from '../../jobs/dossier/service-figures.ts';
import { html, type Part } from '../../wording/html.ts';
import { table } from '../parts/table.ts';
import type { Answer } from '../route.ts';
import { figuresOver } from '../shared-answers.ts';
import type { Visit } from '../visit.ts';

const PERIODS = [30, 90, 365] as const;

/** Over how many days the service is measured unless others are asked for. */
const USUAL_DAYS = 90;

/** How the service did by month, over a period that the visitor chooses. */
export async function servicePage(visit: Visit): Promise<Answer> {
  const { language, url } = visit;
  const { say } = language;
  const asked = Number(url.searchParams.get('days'));
  const days = PERIODS.find((period) => period === asked) ?? USUAL_DAYS;
  const { months } = await figuresOver(days, visit);
  const title = say('web.service.title');
  const body = html`
    <h1>${title}</h1>
    <p>
      ${PERIODS.map((period, at) => html`${at > 0 && ' · '}<a href="/system/service?days=${period}" ${period === days && html`aria-current="true"`}>${say('web.suppliers.days', { days: period })}</a>`)}
    </p>
    ${months.length === 0 ? html`<p class="say">${say('web.service.none')}</p>` : monthTable(months, visit)}
    <p class="soft">${say('web.service.says')}</p>
    <p class="soft"><a href="/docs/service-figures">${say('web.why')}</a></p>
  `;
  return { page: { title, body, section: '/system' } };
}

const COUNTS = ['stalls', 'failed', 'aborted', 'status4xx', 'status5xx', 'noReply'] as const;

function monthTable(months: ServiceMonth[], { language: { say, number } }: Visit): Part {
  const names = ['uploads', 'lines', 'median', 'p95', ...COUNTS] as const;
  const columns = names.map((name) => ({ title: say(`web.service.${name}`), number: true as const }));
  const seconds = (ms: number | null) => (ms === null ? '–' : number(Math.round(ms / 10) / 100));
  const rows = months.map((month): Part[] => [
    month.month,
    number(month.uploads),
    number(month.lines),
    seconds(month.perThousand.median),
    seconds(month.perThousand.p95),
    ...COUNTS.map((count) => number(month[count])),
  ]);
  return table(say('web.service.title'), [{ title: say('web.service.month') }, ...columns], rows);
}
