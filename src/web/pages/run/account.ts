import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { RunAnswer } from '../../../model.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import type { Visit } from '../../visit.ts';

/** The numbers of the account, from read to live; `minus`: what was lost on the way to the next sum. */
const LINES = [
  { group: 'read', minus: false },
  { group: 'rejectedLocally', minus: true },
  { group: 'duplicates', minus: true },
  { group: 'accepted', minus: false },
  { group: 'outranked', minus: true },
  { group: 'contributed', minus: false },
  { group: 'rejectedRemotely', minus: true },
  { group: 'unexplained', minus: true },
  { group: 'live', minus: false },
] as const;

/** The balanced account, in which each number opens its rows. */
export function accountLinks({ id }: RunRow, { rows }: RunAnswer, { language }: Visit): Part {
  if (rows.read === 0) return null;
  return html`<section aria-labelledby="account-title">
    <h2 id="account-title">${language.say('web.run.account')}</h2>
    <table class="account">
      <tbody>
        ${LINES.map(({ group, minus }) => line(group, minus, rows[group], id, language))}
      </tbody>
    </table>
  </section>`;
}

function line(
  group: (typeof LINES)[number]['group'],
  minus: boolean,
  count: number,
  run: string,
  language: Visit['language'],
): Html {
  const number = language.number(count);
  return html`<tr class="${minus ? 'loss' : 'sum'}">
    <th scope="row">${minus && '− '}${language.say(`web.account.${group}`)}</th>
    <td>${count === 0 ? number : html`<a href="/runs/${run}/rows?group=${group}">${number}</a>`}</td>
  </tr>`;
}
