import { accountLines, skippedLines, type AccountLine } from '../../wording/account.ts';
import { html, type Html } from '../../wording/html.ts';
import type { RunAnswer } from '../../model.ts';
import { grouped } from '../../wording/words.ts';
import { BAR_WIDTH, layFlow, WIDTH, type Band, type Bar } from './flow.ts';
import { section } from './parts.ts';

/** The balance of the rows as a picture with its numbers: read → accepted → contributed → live, and what was lost where. */
export function balanceSection(answer: RunAnswer): Html {
  const lines = accountLines(answer);
  if (lines.length === 0) return html``;
  const { bars, bands, height } = layFlow(lines);
  const stops = lines.filter(({ kind }) => kind === 'sum');
  const picture = html`<figure class="flow">
    <ol>
      ${stops.map((stop) => html`<li><b>${grouped(stop.count)}</b> ${shortLabel(stop)}</li>`)}
    </ol>
    <svg viewBox="0 0 ${WIDTH} ${round(height)}" preserveAspectRatio="none" role="img" aria-label="${inWords(lines)}">
      ${bands.map(bandPath)}${bars.map(barRect)}
    </svg>
    <figcaption>
      <table class="account">
        <tbody>
          ${lines.map(accountRow)}
        </tbody>
      </table>
    </figcaption>
  </figure>`;
  const beside = skippedLines(answer.skipped);
  const skipped =
    beside.length > 0 &&
    html`<p class="note">Not counted as rows, because they are no offers:</p>
      <ul class="note skipped">
        ${beside.map((text) => html`<li>${text}</li>`)}
      </ul>`;
  return section('balance', 'Where the rows went', [picture, skipped]);
}

/** Above the picture there is no room for a label that is longer than its column. */
function shortLabel({ label, fate }: AccountLine): string {
  return fate === 'live' && label !== 'Live' ? 'of them live' : label.toLowerCase();
}

function inWords(lines: AccountLine[]): string {
  const phrases = lines.map(({ kind, label, count }) => `${kind === 'loss' ? 'minus ' : ''}${label} ${grouped(count)}`);
  return phrases.join(', ');
}

function accountRow({ label, count, fate, kind }: AccountLine): Html {
  return html`<tr class="${kind}">
    <th scope="row">${fate !== null && html`<i class="swatch ${fate}"></i>`}${kind === 'loss' && '− '}${label}</th>
    <td>${grouped(count)}</td>
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
