import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { LeftOutBy, RunAnswer } from '../../../model.ts';
import { unprovedRows } from '../../../wording/account.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { changesText } from '../../../wording/managers/account-words.ts';
import type { Visit } from '../../visit.ts';

/** The numbers of the account, from read to live; `sign`: what was gained or lost on the way to the next sum. */
const LINES = [
  { group: 'read', sign: '' },
  { group: 'expanded', sign: '+ ' },
  { group: 'carried', sign: '+ ' },
  { group: 'rejectedLocally', sign: '− ' },
  { group: 'duplicates', sign: '− ' },
  { group: 'leftOut', sign: '− ' },
  { group: 'accepted', sign: '' },
  { group: 'outranked', sign: '− ' },
  { group: 'contributed', sign: '' },
  { group: 'rejectedRemotely', sign: '− ' },
  { group: 'unexplained', sign: '− ' },
  { group: 'live', sign: '' },
] as const;

type Group = (typeof LINES)[number]['group'];

/** What most files have none of. */
const UNUSUAL = new Set<string>(['expanded', 'carried', 'leftOut']);

/** The balanced account, in which each number opens its rows. */
export function accountLinks({ id }: RunRow, answer: RunAnswer, { language }: Visit): Part {
  const { rows, upload } = answer;
  if (rows.read === 0) return null;
  // Without an upload nothing was contributed yet, and nothing has to be explained.
  const countOf = (group: Group) => (group === 'carried' ? (rows.change?.carried ?? 0) : rows[group]);
  const lines = LINES.filter(
    ({ group }) => (group !== 'contributed' || upload !== null) && !(UNUSUAL.has(group) && countOf(group) === 0),
  );
  const changes = changesText(answer, language);
  const { name } = unprovedRows(answer);
  const labelOf = (group: Group) => {
    if (group === 'unexplained' && name !== 'unexplained') return language.say(`account.${name}`);
    return group === 'leftOut' && rows.change !== undefined
      ? language.say('account.takenOut')
      : language.say(`web.account.${group}`);
  };
  return html`<section aria-labelledby="account-title">
    <h2 id="account-title">${language.say('web.run.account')}</h2>
    ${changes !== null && html`<p><b>${language.say('account.changes')}:</b> ${changes}</p>`}
    <table class="account">
      <tbody>
        ${lines.map(({ group, sign }) => line({ group, sign, label: labelOf(group), count: countOf(group) }, id, language))}
      </tbody>
    </table>
    ${leftOutList(answer.leftOut, language)}
  </section>`;
}

/** How many rows each rule left out. */
function leftOutList(leftOut: LeftOutBy[], { say, number }: Visit['language']): Part {
  if (leftOut.length === 0) return null;
  const rules = leftOut.map(({ rule, rows }) => html`<li><bdi>${rule}</bdi>: ${number(rows)}</li>`);
  return html`<p>${say('web.account.leftOut.by')}</p>
    <ul class="left-out">
      ${rules}
    </ul>`;
}

type Line = { group: string; sign: string; label: string; count: number };

function line({ group, sign, label, count }: Line, run: string, language: Visit['language']): Html {
  const number = language.number(count);
  return html`<tr class="${sign === '' ? 'sum' : 'loss'}">
    <th scope="row">${sign}${label}</th>
    <td>
      ${count === 0 || group === 'expanded' || group === 'carried' ? number : html`<a href="/runs/${run}/rows?group=${group}">${number}</a>`}
    </td>
  </tr>`;
}
