import type { Score } from '../../report/scorecard/measure.ts';
import { MEASURES, overallText, recoveryText, shareText, trendText } from '../../report/scorecard/words.ts';
import { html, type Part } from '../../wording/html.ts';
import { table } from '../parts/table.ts';
import type { Answer } from '../route.ts';
import { scorecardOver } from '../shared-answers.ts';
import { sees, type Visit } from '../visit.ts';

const PERIODS = [30, 90, 365] as const;

/** How the suppliers deliver: their scorecards, over a period that the visitor chooses. */
export async function suppliersPage(visit: Visit): Promise<Answer> {
  const { language, url } = visit;
  const { say, day } = language;
  const asked = Number(url.searchParams.get('days'));
  const days = PERIODS.find((period) => period === asked) ?? 90;
  const all = await scorecardOver(days, visit);
  const seen = all.scores.filter(({ feed }) => sees(feed, visit));
  const columns = [
    { title: say('score.supplier') },
    { title: say('score.overall'), number: true as const },
    { title: say('score.trend'), number: true as const },
    ...MEASURES.map((key) => ({ title: say(`score.${key}`), number: true as const })),
    { title: say('score.recovery') },
    { title: say('score.deliveries'), number: true as const },
  ];
  const body = html`
    <h1>${say('score.title', { from: day(all.from), to: day(all.to) })}</h1>
    <p>
      ${PERIODS.map((period, at) => html`${at > 0 && ' · '}<a href="/suppliers?days=${period}" ${period === days && html`aria-current="true"`}>${say('web.suppliers.days', { days: period })}</a>`)}
    </p>
    ${table(
      say('score.ranks'),
      columns,
      seen.map((score) => scoreCells(score, visit)),
    )}
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

function scoreCells(score: Score, { language }: Visit): Part[] {
  return [
    html`${score.rank !== null && html`<span class="soft">${language.number(score.rank)}.</span> `}<a
        href="/feeds/${encodeURIComponent(score.feed)}"
        ><bdi>${score.name}</bdi></a
      >${score.overall === null && html` <span class="mark">${overallText(score, language)}</span>`}`,
    shareText(score.overall, language),
    trendText(score.trend, language),
    ...MEASURES.map((key) => shareText(score.measures[key].share, language)),
    recoveryText(score, language),
    language.number(score.deliveries),
  ];
}
