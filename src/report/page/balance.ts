import { html, type Html, type Part } from '../../html.ts';
import type { Outcome, RowCounts, RunAnswer } from '../../model.ts';
import { counted, grouped } from '../../words.ts';
import { BAR_WIDTH, layFlow, WIDTH, type Band, type Bar, type Fate } from './flow.ts';

/** The balance of the rows as a picture with its numbers: read → accepted → contributed → live, and what was lost where. */
export function balanceSection({ rows, outcome }: RunAnswer): Html {
  if (rows.read === 0) return html``;
  const { bars, bands, height } = layFlow(rows);
  const stops = [
    ['read', rows.read],
    ['accepted', rows.accepted],
    ['contributed', rows.contributed],
    ['live', rows.live],
  ] as const;
  return html`<section aria-labelledby="balance">
    <h2 id="balance">Every row explained</h2>
    <figure class="flow">
      <ol>
        ${stops.map(([name, count]) => html`<li><b>${grouped(count)}</b> ${name}</li>`)}
      </ol>
      <svg
        viewBox="0 0 ${WIDTH} ${round(Math.max(height, 1))}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${inWords(rows)}"
      >
        ${bands.map(bandPath)}${bars.map(barRect)}
      </svg>
      <figcaption>${ledger(rows, outcome)}</figcaption>
    </figure>
  </section>`;
}

function inWords(rows: RowCounts): string {
  return `Of ${counted(rows.read, 'row')} read, ${grouped(rows.accepted)} were accepted, ${grouped(rows.contributed)} contributed to the dataset and ${grouped(rows.live)} are live.`;
}

/** The account as a table: each loss where it happened, so that the column adds up. */
function ledger(rows: RowCounts, outcome: Outcome | null): Html {
  return html`<table class="account">
    <tbody>
      ${[
        sum('Rows read', rows.read),
        loss('rejected-here', 'rejected here', rows.rejectedLocally),
        loss('duplicate', 'duplicates', rows.duplicates),
        sum('Accepted', rows.accepted),
        loss('outranked', 'outranked by another feed', rows.outranked),
        sum('Contributed', rows.contributed),
        loss('rejected-there', 'rejected by the service', rows.rejectedRemotely),
        loss('unexplained', undecidedLabel(outcome), rows.unexplained),
        sum('Live', rows.live, 'live'),
      ]}
    </tbody>
  </table>`;
}

/** Rows of which nothing is proved alarm only when the upload succeeded; before that they have not gone anywhere. */
function undecidedLabel(outcome: Outcome | null): string {
  return outcome === 'live' || outcome === 'partial' ? 'unexplained' : 'not proved live';
}

function sum(label: string, count: number, fate?: Fate): Html {
  return html`<tr class="sum">
    <th scope="row">${swatch(fate)}${label}</th>
    <td>${grouped(count)}</td>
  </tr>`;
}

function loss(fate: Fate, label: string, count: number): Part {
  if (count === 0) return null;
  return html`<tr>
    <th scope="row">${swatch(fate)}− ${label}</th>
    <td>${grouped(count)}</td>
  </tr>`;
}

function swatch(fate: Fate | undefined): Part {
  return fate !== undefined && html`<i class="swatch ${fate}"></i>`;
}

function barRect({ x, y, height, fate }: Bar): Html {
  return html`<rect class="${fate}" x="${x}" y="${round(y)}" width="${BAR_WIDTH}" height="${round(height)}"></rect>`;
}

function bandPath({ from, to, height, fate }: Band): Html {
  const middle = (from.x + to.x) / 2;
  const [a, b] = [round(from.y), round(to.y)];
  const [c, d] = [round(to.y + height), round(from.y + height)];
  const upper = `M${from.x} ${a}C${middle} ${a} ${middle} ${b} ${to.x} ${b}`;
  const lower = `V${c}C${middle} ${c} ${middle} ${d} ${from.x} ${d}Z`;
  return html`<path class="band ${fate}" d="${upper}${lower}"></path>`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
