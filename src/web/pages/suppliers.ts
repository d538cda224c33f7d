import { MEASURES } from '../../report/scorecard/words.ts';
import { html } from '../../wording/html.ts';
import type { Answer } from '../route.ts';
import { SCORED_DAYS, scorecardOver } from '../shared-answers.ts';
import { sees, type Visit } from '../visit.ts';
import { scoreTable } from './score-table.ts';

const PERIODS = [30, 90, 365] as const;

/** How the suppliers deliver: their scorecards, over a period that the visitor chooses. */
export async function suppliersPage(visit: Visit): Promise<Answer> {
  const { language, url } = visit;
  const { say, day } = language;
  const asked = Number(url.searchParams.get('days'));
  const days = PERIODS.find((period) => period === asked) ?? SCORED_DAYS;
  const all = await scorecardOver(days, visit);
  const seen = all.scores.filter(({ feed }) => sees(feed, visit));
  const body = html`
    <h1>${say('score.title', { from: day(all.from), to: day(all.to) })}</h1>
    <p>
      ${PERIODS.map((period, at) => html`${at > 0 && ' · '}<a href="/suppliers?days=${period}" ${period === days && html`aria-current="true"`}>${say('web.suppliers.days', { days: period })}</a>`)}
    </p>
    ${scoreTable(seen, language)}
    <details>
      <summary>${say('score.definitions')}</summary>
      <div>
        <dl>
          ${MEASURES.map(
            (key) =>
              html`<dt>${say(`score.${key}`)}</dt>
                <dd>${say(`score.definition.${key}`)}</dd>`,
          )}
        </dl>
      </div>
    </details>
  `;
  return { page: { title: say('web.nav.suppliers'), body, section: '/suppliers' } };
}
