import { accountLines } from '../../wording/account.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { accountRows, signOf, skippedText } from '../../wording/managers/account-words.ts';
import type { RunAnswer } from '../../model.ts';
import { BAR_WIDTH, layFlow, WIDTH, type Band, type Bar } from './flow.ts';

type AccountRow = ReturnType<typeof accountRows>[number];

/** The balance of the rows as a picture with its numbers, from those that were read to those that are live; null without rows. */
export function accountPicture(answer: RunAnswer, language: Language): Html | null {
  const rows = accountRows(answer, language);
  if (rows.length === 0) return null;
  const { bars, bands, height } = layFlow(accountLines(answer));
  const stops = rows.filter(({ kind }) => kind === 'sum');
  const skipped = skippedText(answer, language);
  return html`<figure class="flow">
      <ol>
        ${stops.map(({ label, count }) => html`<li><b>${count}</b> ${label}</li>`)}
      </ol>
      <svg viewBox="0 0 ${WIDTH} ${round(height)}" preserveAspectRatio="none" role="img" aria-label="${inWords(rows)}">
        ${bands.map(bandPath)}${bars.map(barRect)}
      </svg>
      <figcaption>
        <table class="account">
          <tbody>
            ${rows.map(accountRow)}
          </tbody>
        </table>
      </figcaption>
    </figure>
    ${skipped !== null && html`<p class="note"><bdi>${skipped}</bdi></p>`}`;
}

function inWords(rows: AccountRow[]): string {
  return rows.map(({ kind, label, count }) => `${signOf(kind)}${label} ${count}`).join(', ');
}

function accountRow({ label, count, fate, kind }: AccountRow): Html {
  return html`<tr class="${kind}">
    <th scope="row">${fate !== null && html`<i class="swatch ${fate}"></i>`}${signOf(kind)}${label}</th>
    <td>${count}</td>
  </tr>`;
}

function barRect({ x, y, height, fate }: Bar): Html {
  const [left, top, high] = [x, y, height].map(round);
  return html`<rect class="${fate ?? 'rows'}" x="${left}" y="${top}" width="${BAR_WIDTH}" height="${high}"></rect>`;
}

function bandPath({ from, to, height, fate }: Band): Html {
  const [left, right, middle] = [from.x, to.x, (from.x + to.x) / 2].map(round);
  const [a, b, c, d] = [from.y, to.y, to.y + height, from.y + height].map(round);
  const upper = `M${left} ${a}C${middle} ${a} ${middle} ${b} ${right} ${b}`;
  const lower = `V${c}C${middle} ${c} ${middle} ${d} ${left} ${d}Z`;
  return html`<path class="band ${fate ?? 'rows'}" d="${upper}${lower}"></path>`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
