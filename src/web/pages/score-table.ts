import { estimateText } from '../../wording/managers/estimate-words.ts';
import type { Score } from '../../report/scorecard/measure.ts';
import { asListed, MEASURES, overallText, recoveryText, shareText, trendText } from '../../report/scorecard/words.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { table } from '../parts/table.ts';

/** The scorecards of suppliers, a line for each. */
export function scoreTable(scores: readonly Score[], language: Language): Html {
  const { say } = language;
  const columns = [
    { title: say('score.supplier') },
    { title: say('score.overall'), number: true as const },
    { title: say('score.trend'), number: true as const },
    ...MEASURES.map((key) => ({ title: say(`score.${key}`), number: true as const })),
    { title: say('score.recovery') },
    { title: say('score.known'), number: true as const },
    { title: say('score.deliveries'), number: true as const },
  ];
  return table(
    say('score.ranks'),
    columns,
    asListed(scores, language).map((score) => scoreCells(score, language)),
  );
}

function scoreCells(score: Score, language: Language): Part[] {
  return [
    html`${score.rank !== null && html`<span class="soft">${language.number(score.rank)}.</span> `}<a
        href="/feeds/${encodeURIComponent(score.feed)}"
        ><bdi>${score.name}</bdi></a
      >${score.overall === null && html` <span class="mark">${overallText(score, language)}</span>`}`,
    shareText(score.overall, language),
    trendText(score.trend, language),
    ...MEASURES.map((key) => shareText(score.measures[key].share, language)),
    recoveryText(score, language),
    estimateText(score.known, language),
    language.number(score.deliveries),
  ];
}
