import type { GaugedStage } from '../../gauge.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import type { Progress } from '../thread/gauges.ts';

/** A rate over less time would be a guess; milliseconds. More than so many hours is no forecast. */
const LEAST_TIME = 1000;
const MOST_LEFT = 100 * 3_600_000;

/** How far long work is: stage, share as a bar, and time left. */
export function progressBar({ gauge, from, elapsed }: Progress, language: Language): Html {
  const { stage, unit, total } = gauge;
  const done = total === null ? gauge.done : Math.min(gauge.done, total);
  const share = total === null || total === 0 ? null : done / total;
  const rate = elapsed < LEAST_TIME ? 0 : (done - from) / elapsed;
  const left = total === null || rate <= 0 ? null : (total - done) / rate;
  const name = stageName(stage, language);
  return html`<span class="progress">
    ${name}
    ${share !== null && html`<progress class="meter" max="100" value="${Math.floor(share * 100)}" aria-label="${name}"></progress> ${language.percent(Math.floor(share * 100) / 100)}`}
    ${share === null && done > 0 && amount(done, unit, language)}
    ${left !== null && left > 0 && left < MOST_LEFT && html`<span class="soft">${language.say('web.progress.left', { time: language.span(Math.max(1000, left)) })}</span>`}
  </span>`;
}

function stageName(stage: GaugedStage, language: Language): string {
  return language.say(`web.stage.${stage}`);
}

function amount(done: number, unit: 'bytes' | 'rows' | null, language: Language): Part {
  if (unit === 'rows') return language.say('web.progress.rows', { count: done });
  return unit === 'bytes' ? language.say('web.progress.megabytes', { megabytes: Math.round(done / 1e6) }) : null;
}
