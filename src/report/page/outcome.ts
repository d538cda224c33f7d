import { adviceOn } from '../../wording/advice.ts';
import { html, prose, type Html } from '../../wording/html.ts';
import type { RunAnswer } from '../../model.ts';
import { nowLines } from '../../wording/now-words.ts';
import { happened, moment, reasonBeyond } from '../../wording/words.ts';

/** The top of the page: whose run it is, what happened, what that means, what to do next. */
export function outcomeHeader(answer: RunAnswer, timeZone: string | undefined): Html {
  const { feed, login, outcome, finishedAt, createdAt } = answer;
  const { meaning, steps } = adviceOn(answer, 'managers');
  const when = moment(finishedAt ?? createdAt, timeZone);
  const more = reasonBeyond(answer);
  const standing = nowLines(answer, timeZone);
  return html`<p class="whose">Feed <b>${feed}</b> of login <b>${login}</b> · ${when}</p>
    <h1>${capital(happened(answer))} <span class="badge ${outcome ?? 'running'}">${outcome ?? 'running'}</span></h1>
    ${more !== null && html`<p class="reason ${outcome ?? ''}">${more}</p>`}
    ${
      standing.length > 0 &&
      html`<p class="standing">${standing.map(([label, text]) => html`<span><b>${label}:</b> ${text}</span>`)}</p>`
    }
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
