import { html, type Html, type Part } from '../../html.ts';
import type { RowCounts, RunAnswer } from '../../model.ts';
import { counted, grouped } from '../../words.ts';
import { BAR_WIDTH, layFlow, WIDTH, type Band, type Bar, type Fate } from './flow.ts';
import { section } from './parts.ts';

/** What became of the rows of which nothing is proved: they alarm only when the upload succeeded. */
type Unproved = { fate: Fate; label: string };

/** The balance of the rows as a picture with its numbers: read → accepted → contributed → live, and what was lost where. */
export function balanceSection(answer: RunAnswer): Html {
  const { rows, upload } = answer;
  if (rows.read === 0) return html``;
  const sent = upload !== null;
  const unproved = unprovedOf(answer);
  const { bars, bands, height } = layFlow(rows, unproved.fate);
  const stops = [
    ['read', rows.read],
    ['accepted', rows.accepted],
    [sent ? 'contributed' : 'not sent', rows.contributed],
    ['live', rows.live],
  ] as const;
  const picture = html`<figure class="flow">
    <ol>
      ${stops.map(([name, count]) => html`<li><b>${grouped(count)}</b> ${name}</li>`)}
    </ol>
    <svg
      viewBox="0 0 ${WIDTH} ${round(Math.max(height, 1))}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${inWords(rows, sent)}"
    >
      ${bands.map(bandPath)}${bars.map(barRect)}
    </svg>
    <figcaption>${account(rows, sent, unproved)}</figcaption>
  </figure>`;
  return section('balance', 'Where the rows went', picture);
}

function unprovedOf({ outcome, upload }: RunAnswer): Unproved {
  if (outcome === 'live' || outcome === 'partial') return { fate: 'unexplained', label: 'unexplained' };
  return { fate: 'undecided', label: upload === null ? 'not sent' : 'not proved live' };
}

function inWords({ read, accepted, contributed, live }: RowCounts, sent: boolean): string {
  const start = `Of ${counted(read, 'row')} read, ${grouped(accepted)} were accepted`;
  if (!sent) return `${start}; nothing was sent.`;
  return `${start}, ${grouped(contributed)} contributed to the dataset, and ${grouped(live)} are live.`;
}

/** The account as a table: each loss where it happened, so that the column adds up. */
function account(rows: RowCounts, sent: boolean, unproved: Unproved): Html {
  const lines = [
    sum('Rows read', rows.read),
    loss('rejected-here', 'rejected here', rows.rejectedLocally),
    loss('duplicate', 'duplicates', rows.duplicates),
    sum('Accepted', rows.accepted),
    loss('outranked', 'outranked by another feed', rows.outranked),
    sent && sum('Contributed', rows.contributed),
    loss('rejected-there', 'rejected by the service', rows.rejectedRemotely),
    loss(unproved.fate, unproved.label, rows.unexplained),
    sum('Live', rows.live, 'live'),
  ];
  return html`<table class="account">
    <tbody>
      ${lines}
    </tbody>
  </table>`;
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
