import { adviceOn } from '../../advice.ts';
import { html, prose, type Html } from '../../html.ts';
import type { RunAnswer } from '../../model.ts';
import { happened, moment } from '../../words.ts';

/** The top of the page: whose run it is, what happened, what that means, what to do next. */
export function outcomeHeader(answer: RunAnswer, timeZone: string | undefined): Html {
  const { feed, login, outcome, reason, finishedAt, createdAt } = answer;
  const { meaning, steps } = adviceOn(answer);
  const headline = happened(answer);
  const when = moment(finishedAt ?? createdAt, timeZone);
  // A reason that the headline already gives in full is not said twice.
  const more = reason !== null && outcome !== 'live' && reason.trim().replace(/[.!]$/, '') !== headline;
  return html`<p class="whose">Feed <b>${feed}</b> of login <b>${login}</b> · ${when}</p>
    <h1>${capital(headline)} <span class="badge ${outcome ?? 'running'}">${outcome ?? 'running'}</span></h1>
    ${more && html`<p class="reason ${outcome ?? ''}">${reason}</p>`}
    <p class="lead">${meaning}</p>
    ${
      steps.length > 0 &&
      html`<ul class="steps">
        ${steps.map((step) => html`<li>${prose(step)}</li>`)}
      </ul>`
    }`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
