import { dialectText } from '../../wording/files/dialect.ts';
import { adviceOn } from '../../wording/advice.ts';
import { html, prose, type Html, type Part } from '../../wording/html.ts';
import type { ReceiptCheck, RunEvent } from '../../model.ts';
import { seenLines } from '../../wording/signal-words.ts';
import { clockTime, grouped, mergedTagsText, moment } from '../../wording/words.ts';
import { mappingLines } from '../../wording/columns/unsure-columns.ts';
import { USUAL_LANGUAGE, type Language } from '../../wording/language/language.ts';
import { keptSaid } from '../../wording/ops/kept-said.ts';
import { saidHtml } from '../../wording/ops/said.ts';
import { technicalWords } from './technical.ts';
import type { ReportInput } from '../input.ts';
import { folded, table, value } from './parts.ts';

/** The proof that the dataset is live, check by check. */
export function proofSection({ answer: { receipt }, language }: ReportInput): Html {
  const { say } = language;
  if (receipt === null) return html``;
  const columns = [
    { head: say('report.proof.check'), cell: ({ check }: ReceiptCheck) => check },
    {
      head: say('report.proof.result'),
      cell: ({ result }: ReceiptCheck) => html`<span class="mark ${result}">${say(`report.proof.${result}`)}</span>`,
    },
    { head: say('report.proof.detail'), cell: ({ detail }: ReceiptCheck) => keptWords(detail, language) },
  ];
  return folded('proof', say('report.proof.title'), [
    html`<p>${say(receipt.verified ? 'report.proof.verified' : 'report.proof.unverified')}</p>`,
    table(say('report.proof.checks'), columns, receipt.checks),
  ]);
}

/** What happened when. */
export function timelineSection({ events, timeZone, language }: ReportInput): Html {
  const { say } = language;
  if (events.length === 0) return html``;
  const columns = [
    { head: say('report.timeline.time'), cell: ({ at }: RunEvent) => clockTime(at, timeZone) },
    { head: say('report.timeline.stage'), cell: ({ stage }: RunEvent) => say(`report.stage.${stage}`) },
    { head: say('report.timeline.event'), cell: ({ message }: RunEvent) => keptWords(message, language) },
  ];
  return folded('timeline', say('report.timeline.title'), [
    table(say('report.timeline.events'), columns, events),
    html`<p class="note">${say('report.timeline.zone', { zone: timeZone ?? 'UTC' })}</p>`,
  ]);
}

/** What the ledger keeps as a sentence: in English as it is, else what it says, or the English one marked as that. */
function keptWords(text: string, language: Language): Part {
  if (language.name === USUAL_LANGUAGE) return text;
  return saidHtml(keptSaid(text, language) ?? { text: null, quoted: text });
}

/** What administrators ask for: run, reason, hash, upload, what to do with which command, dataset; in English as the command line says it. */
export function technicalSection(input: ReportInput): Html {
  const { answer, language } = input;
  const { dataset, login, feed, unreadable } = answer;
  const title = language.say('report.technical.title');
  if (language.name !== USUAL_LANGUAGE) return folded('technical', title, technicalWords(input));
  const { steps } = adviceOn(answer);
  return folded('technical', title, [
    html`<div>
      <dl class="facts">${facts(input).map(fact)}</dl>
      ${
        steps.length > 0 &&
        html`<ul>
          ${steps.map((step) => html`<li>${prose(step)}</li>`)}
        </ul>`
      }
      ${unreadable.map((text) => html`<p>${prose(text)}</p>`)}
      ${
        dataset !== null && [
          html`<p>
            Dataset of login ${login}: ${grouped(dataset.rows)} rows sent, ${grouped(dataset.rejectedRemotely)} rejected
            by the service, ${grouped(dataset.live)} live.
          </p>`,
          dataset.mergedTags !== null && mergedTagsText(dataset.mergedTags).map((text) => html`<p>${text}</p>`),
          table('Rows of the dataset by feed', datasetColumns(feed), Object.entries(dataset.feeds), 'short'),
        ]
      }
    </div>`,
  ]);
}

function datasetColumns(feed: string) {
  return [
    { head: 'Feed', cell: ([name]: [string, number]) => (name === feed ? html`<b>${name}</b>` : name) },
    { head: 'Rows', number: true, cell: ([, rows]: [string, number]) => grouped(rows) },
  ];
}

function facts({ answer, timeZone, language }: ReportInput): [string, Part][] {
  const { delivery, dialect, upload, signals } = answer;
  const found: [string, Part][] = [
    ['Run', html`<code>${answer.run}</code>`],
    ['Feed', html`${answer.feed} of login ${answer.login}`],
    ['Outcome', html`${answer.outcome ?? 'running'} (${answer.cause})`],
  ];
  if (answer.reason !== null) found.push(['Reason', html`<span class="lines">${answer.reason}</span>`]);
  found.push(['Started', moment(answer.createdAt, timeZone)]);
  if (answer.finishedAt !== null) found.push(['Finished', moment(answer.finishedAt, timeZone)]);
  if (delivery !== null) {
    found.push(['Delivery', value(delivery.name, language)], ['Size', `${grouped(delivery.bytes)} bytes`]);
    found.push(['SHA-256', html`<code>${delivery.sha256}</code>`]);
  }
  if (dialect !== null) found.push(['Dialect', dialectText(dialect)]);
  for (const [label, text] of mappingLines(answer.mapping))
    found.push([label === 'column' ? 'Column' : 'Proposed', text]);
  if (signals !== null) for (const [label, text] of seenLines(signals)) found.push([`Seen: ${label}`, text]);
  if (upload !== null) {
    found.push(['Offer id', upload.offerId === null ? 'none yet' : html`<code>${upload.offerId}</code>`]);
    found.push(['Upload', uploadText(upload)], ['Token', html`<code>${upload.token}</code>`]);
  }
  return found;
}

function fact([name, content]: [string, Part]): Html {
  return html`<dt>${name}</dt>
    <dd>${content}</dd>`;
}

function uploadText({ state, attempts, adopted }: NonNullable<ReportInput['answer']['upload']>): string {
  const tries = attempts > 1 ? `, attempt ${attempts}` : '';
  return `${state}${tries}${adopted ? ', found again after its reply was lost' : ''}`;
}
