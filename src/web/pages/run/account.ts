import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { RunAnswer } from '../../../model.ts';
import { unprovedRows } from '../../../wording/account.ts';
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
export function accountLinks({ id }: RunRow, answer: RunAnswer, { language }: Visit): Part {
  const { rows, upload } = answer;
  if (rows.read === 0) return null;
  // Without an upload nothing was contributed yet, and nothing has to be explained.
  const lines = LINES.filter(({ group }) => group !== 'contributed' || upload !== null);
  const { name } = unprovedRows(answer);
  const labelOf = (group: (typeof LINES)[number]['group']) =>
    group === 'unexplained' && name !== 'unexplained'
      ? language.say(`account.${name}`)
      : language.say(`web.account.${group}`);
  return html`<section aria-labelledby="account-title">
    <h2 id="account-title">${language.say('web.run.account')}</h2>
    <table class="account">
      <tbody>
        ${lines.map(({ group, minus }) => line({ group, minus, label: labelOf(group), count: rows[group] }, id, language))}
      </tbody>
    </table>
  </section>`;
}

type Line = { group: string; minus: boolean; label: string; count: number };

function line({ group, minus, label, count }: Line, run: string, language: Visit['language']): Html {
  const number = language.number(count);
  return html`<tr class="${minus ? 'loss' : 'sum'}">
    <th scope="row">${minus && '− '}${label}</th>
    <td>${count === 0 ? number : html`<a href="/runs/${run}/rows?group=${group}">${number}</a>`}</td>
  </tr>`;
}
