import { estimateText } from '../../wording/managers/estimate-words.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { folded, section, table } from '../page/parts.ts';
import { page } from '../page/shell.ts';
import type { ScorecardInput } from './input.ts';
import type { Score } from './measure.ts';
import { asListed, MEASURES, overallText, recoveryText, shareText, trendText } from './words.ts';

/** Runs behind a measure that a page names; the JSON answer has all. */
const SHOWN_RUNS = 10;

/** The scorecard as one page that needs nothing else: ranks first, then each measure with its definition and the runs behind it. */
export function scorecardPage({ from, to, scores: scored, language, sandbox }: ScorecardInput): string {
  const { say, day } = language;
  const scores = asListed(scored, language);
  const title = say('score.title', { from: day(from), to: day(to) });
  return page({
    title: `${sandbox ? 'SANDBOX ' : ''}${title}`,
    language,
    sandbox,
    top: html`<h1>${title}</h1>
      <p class="lead">${say('score.lead', { count: scores.length })}</p>`,
    body: [
      section('ranks', say('score.ranks'), ranks(scores, language)),
      section('definitions', say('score.definitions'), definitions(language)),
      ...scores.map((score) => folded(`supplier-${score.feed}`, score.name, behind(score, language))),
    ],
    foot: html`offerline`,
  });
}

function ranks(scores: Score[], language: Language): Html {
  const { say, number } = language;
  const columns = [
    { head: say('score.supplier'), cell: (score: Score) => supplierCell(score, language) },
    {
      head: say('score.overall'),
      number: true,
      cell: ({ overall }: Score) => shareText(overall, language),
    },
    { head: say('score.trend'), number: true, cell: ({ trend }: Score) => trendText(trend, language) },
    ...MEASURES.map((key) => ({
      head: say(`score.${key}`),
      number: true,
      cell: ({ measures }: Score) => shareText(measures[key].share, language),
    })),
    { head: say('score.recovery'), cell: (score: Score) => recoveryText(score, language) },
    { head: say('score.known'), number: true, cell: ({ known }: Score) => estimateText(known, language) },
    { head: say('score.deliveries'), number: true, cell: ({ deliveries }: Score) => number(deliveries) },
  ];
  return table(say('score.ranks'), columns, scores, 'cards');
}

/** The rank and the name, or why there is no rank. */
function supplierCell(score: Score, language: Language): Part {
  return [
    score.rank !== null && html`<b>${language.number(score.rank)}.</b> `,
    html`<bdi>${score.name}</bdi>`,
    score.overall === null && html` <span class="mark">${overallText(score, language)}</span>`,
  ];
}

function definitions({ say }: Language): Part {
  const keys = [...MEASURES, 'recovery', 'known', 'overall', 'trend'] as const;
  return html`<dl class="facts">
    ${keys.map(
      (key) =>
        html`<dt>${say(`score.${key}`)}</dt>
          <dd>${say(`score.definition.${key}`)}</dd>`,
    )}
  </dl>`;
}

function behind({ measures, recovery }: Score, language: Language): Part {
  const { say, number } = language;
  const rows = [
    ...MEASURES.map((key) => ({ key, good: measures[key].good, of: measures[key].of, runs: measures[key].runs })),
    { key: 'recovery' as const, good: recovery.solved, of: recovery.solved + recovery.open, runs: recovery.runs },
  ];
  type Row = (typeof rows)[number];
  const columns = [
    { head: say('score.measure'), cell: ({ key }: Row) => say(`score.${key}`) },
    { head: say('score.counted'), cell: ({ good, of }: Row) => `${number(good)} / ${number(of)}` },
    { head: say('score.runs'), cell: ({ runs }: Row) => runsText(runs, language) },
  ];
  return table(say('score.runs'), columns, rows);
}

function runsText(runs: string[], { say }: Language): Part {
  const left = runs.length - SHOWN_RUNS;
  const shown = runs.slice(0, SHOWN_RUNS).join(', ');
  if (shown === '') return '—';
  return left > 0 ? `${shown} ${say('score.moreRuns', { count: left })}` : shown;
}
