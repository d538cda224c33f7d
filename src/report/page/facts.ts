import { dialectText } from '../../wording/files/dialect.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { ReceiptCheck, RunAnswer, RunEvent } from '../../model.ts';
import { clockTime, grouped, mergedTagsText, moment } from '../../wording/words.ts';
import { mappingLines } from '../../wording/columns/unsure-columns.ts';
import { section, table, value } from './parts.ts';

/** The proof that the dataset is live, check by check. */
export function receiptSection({ receipt }: RunAnswer): Html {
  if (receipt === null) return html``;
  const summary = receipt.verified
    ? 'The service confirms what was sent.'
    : 'Not verified: a check failed, or the service provided nothing to check.';
  const columns = [
    { head: 'Check', cell: ({ check }: ReceiptCheck) => check },
    { head: 'Result', cell: ({ result }: ReceiptCheck) => html`<span class="mark ${result}">${result}</span>` },
    { head: 'Detail', cell: ({ detail }: ReceiptCheck) => detail },
  ];
  return section('receipt', 'Receipt', [
    html`<p>${summary}</p>`,
    table('Checks in the receipt', columns, receipt.checks),
  ]);
}

/** What was uploaded for the whole login, by feed. */
export function datasetSection({ dataset, login, feed }: RunAnswer): Html {
  if (dataset === null) return html``;
  const columns = [
    { head: 'Feed', cell: ([name]: [string, number]) => (name === feed ? html`<b>${name}</b>` : name) },
    { head: 'Rows', number: true, cell: ([, rows]: [string, number]) => grouped(rows) },
  ];
  const { rows, rejectedRemotely, live, mergedTags } = dataset;
  return section('dataset', `Dataset of login ${login}`, [
    html`<p>
      ${grouped(rows)} rows sent, ${grouped(rejectedRemotely)} rejected by the service, ${grouped(live)} live.
    </p>`,
    mergedTags !== null && mergedTagsText(mergedTags).map((text) => html`<p>${text}</p>`),
    table('Rows of the dataset by feed', columns, Object.entries(dataset.feeds), 'short'),
  ]);
}

/** What happened when. */
export function timelineSection(events: RunEvent[], timeZone: string | undefined): Html {
  if (events.length === 0) return html``;
  const columns = [
    { head: 'Time', cell: ({ at }: RunEvent) => clockTime(at, timeZone) },
    { head: 'Stage', cell: ({ stage }: RunEvent) => stage },
    { head: 'Event', cell: ({ message }: RunEvent) => message },
  ];
  return section('timeline', 'Timeline', [
    table('Timeline of the run', columns, events),
    html`<p class="note">Times of ${timeZone ?? 'UTC'}.</p>`,
  ]);
}

/** The facts that ops ask for. */
export function factsSection(answer: RunAnswer, timeZone: string | undefined): Html {
  const { delivery, dialect, upload } = answer;
  const facts: [string, Part][] = [
    ['Run', html`<code>${answer.run}</code>`],
    ['Started', moment(answer.createdAt, timeZone)],
  ];
  if (answer.finishedAt !== null) facts.push(['Finished', moment(answer.finishedAt, timeZone)]);
  if (delivery !== null) {
    facts.push(['Delivery', value(delivery.name)], ['Size', `${grouped(delivery.bytes)} bytes`]);
    facts.push(['SHA-256', html`<code>${delivery.sha256}</code>`]);
  }
  if (dialect !== null) facts.push(['Dialect', dialectText(dialect)]);
  for (const [label, text] of mappingLines(answer.mapping))
    facts.push([label === 'column' ? 'Column' : 'Proposed', text]);
  if (upload !== null) {
    facts.push(['Offer id', upload.offerId === null ? 'none yet' : html`<code>${upload.offerId}</code>`]);
    facts.push(['Upload', uploadText(upload)], ['Token', html`<code>${upload.token}</code>`]);
  }
  return section('facts', 'Facts', html`<dl class="facts">${facts.map(fact)}</dl>`);
}

function fact([name, content]: [string, Part]): Html {
  return html`<dt>${name}</dt>
    <dd>${content}</dd>`;
}

function uploadText({ state, attempts, adopted }: NonNullable<RunAnswer['upload']>): string {
  const tries = attempts > 1 ? `, attempt ${attempts}` : '';
  return `${state}${tries}${adopted ? ', found again after its reply was lost' : ''}`;
}
