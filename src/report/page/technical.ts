import { commandsIn } from '../../incidents.ts';
import type { ColumnMapping } from '../../model.ts';
import { adviceOn } from '../../wording/advice.ts';
import { evidenceIn } from '../../wording/columns/evidence-in.ts';
import { html, prose, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { columnText } from '../../wording/managers/column-words.ts';
import { outcomeWord, runSteps } from '../../wording/managers/run-words.ts';
import { dialectWords, evidenceWords } from '../../wording/ops/reading-said.ts';
import { keptSaid } from '../../wording/ops/kept-said.ts';
import { runSaid } from '../../wording/ops/run-said.ts';
import { saidHtml } from '../../wording/ops/said.ts';
import { mergedTagsSaid, seenSaid } from '../../wording/ops/seen-said.ts';
import type { ReportInput } from '../input.ts';
import { table, value } from './parts.ts';

/** What administrators ask for, in the reader's language, with the commands that can be typed. */
export function technicalWords(input: ReportInput): Part[] {
  const { answer, language } = input;
  const { dataset, login, unreadable } = answer;
  const { say, number } = language;
  const commands = commandsIn(adviceOn(answer).steps);
  return [
    html`<dl class="facts">${factsOf(input).map(fact)}</dl>`,
    html`<ul>
      ${runSteps(answer, language).map((step) => html`<li>${prose(step)}</li>`)}
      ${commands.map((command) => html`<li><code>${command}</code></li>`)}
    </ul>`,
    unreadable.map((text) => html`<p>${quoted(text, language)}</p>`),
    dataset !== null && [
      html`<p>
        ${say('report.fact.dataset', { login, rows: dataset.rows, rejected: dataset.rejectedRemotely, live: dataset.live })}
      </p>`,
      dataset.mergedTags !== null && mergedTagsSaid(dataset.mergedTags, language).map((text) => html`<p>${text}</p>`),
      table(
        say('report.fact.datasetRows'),
        [
          { head: say('report.fact.feed'), cell: ([name]: [string, number]) => name },
          { head: say('report.fact.rows'), number: true, cell: ([, rows]: [string, number]) => number(rows) },
        ],
        Object.entries(dataset.feeds),
        'short',
      ),
    ],
  ];
}

function factsOf({ answer, reason, language }: ReportInput): [string, Part][] {
  const { say, moment } = language;
  const { delivery, dialect, upload, signals, outcome, cause } = answer;
  const why = answer.reason === null ? null : runSaid({ outcome, cause, reason }, language);
  return [
    [say('report.fact.run'), html`<code>${answer.run}</code>`],
    [say('report.fact.feed'), say('report.fact.feedOf', { feed: answer.feed, login: answer.login })],
    [say('report.fact.outcome'), html`${outcomeWord(outcome, language)} <code>${cause}</code>`],
    ...row(why !== null && [say('report.fact.reason'), saidHtml(why)]),
    [say('report.fact.started'), moment(answer.createdAt)],
    ...row(answer.finishedAt !== null && [say('report.fact.finished'), moment(answer.finishedAt)]),
    ...(delivery === null ? [] : deliveryFacts(delivery, language)),
    ...row(dialect !== null && [say('report.fact.dialect'), dialectWords(dialect, language)]),
    ...answer.mapping.map((column): [string, Part] => columnFact(column, language)),
    ...(signals === null ? [] : seenSaid(signals, language)).map(([label, text]): [string, Part] => [
      say('report.fact.seen'),
      html`${label}: ${text}`,
    ]),
    ...(upload === null ? [] : uploadFacts(upload, language)),
  ];
}

function row(found: [string, Part] | false): [string, Part][] {
  return found === false ? [] : [found];
}

type Delivery = NonNullable<ReportInput['answer']['delivery']>;
type Upload = NonNullable<ReportInput['answer']['upload']>;

function deliveryFacts({ name, bytes, sha256 }: Delivery, language: Language): [string, Part][] {
  return [
    [language.say('report.fact.delivery'), value(name, language)],
    [language.say('report.fact.size'), language.say('report.fact.bytes', { bytes })],
    ['SHA-256', html`<code>${sha256}</code>`],
  ];
}

function columnFact(column: ColumnMapping, language: Language): [string, Part] {
  const phrases = evidenceIn(column.evidence);
  const evidence = phrases === null ? quoted(column.evidence, language) : evidenceWords(phrases, language);
  const label = language.say(column.sure ? 'report.fact.column' : 'report.fact.proposed');
  return [label, html`<bdi>${columnText(column, language)}</bdi>: ${evidence}`];
}

function uploadFacts({ offerId, state, attempts, adopted, token }: Upload, { say }: Language): [string, Part][] {
  return [
    [say('report.fact.offer'), offerId === null ? say('report.fact.none') : html`<code>${offerId}</code>`],
    [
      say('report.fact.state'),
      html`<code>${state}</code>${attempts > 1 && `, ${say('report.fact.attempt', { attempt: attempts })}`}${
          adopted && `, ${say('report.fact.adopted')}`
        }`,
    ],
    [say('report.fact.token'), html`<code>${token}</code>`],
  ];
}

/** What the program keeps as a sentence, quoted where it has no words of the reader's language. */
function quoted(text: string, language: Language): Html {
  return saidHtml(keptSaid(text, language) ?? { text: null, quoted: text });
}

function fact([name, content]: [string, Part]): Html {
  return html`<dt>${name}</dt>
    <dd>${content}</dd>`;
}
