import { html, prose, type Html, type Part } from '../../wording/html.ts';
import { causeRemedy, causeTitle } from '../../wording/managers/cause-words.ts';
import { columnWord } from '../../wording/managers/column-words.ts';
import type { CauseExample, RowCause } from '../../model.ts';
import type { Language } from '../../wording/language/language.ts';
import type { ReportInput } from '../input.ts';
import { demandMark, message, part, place, section, table, value } from './parts.ts';

/** Causes with brands, examples and what to do; three sheets of paper have room for fewer. Further ones are a folded list. */
const SHOWN = 10;
const PRINTED = 4;
const PRINTED_BESIDE = 2;
const LISTED = 100;

/** Why rows are rejected or doubtful: one card for each cause, those that cost the most rows first. */
export function causesSection({ answer, language }: ReportInput, causes: RowCause[]): Html {
  const { unreadable, signals, readings } = answer;
  if (causes.length + unreadable.length === 0) return html``;
  const { say } = language;
  const rest = causes.slice(SHOWN);
  const printed = (signals?.findings.length ?? 0) === 0 && readings.length === 0 ? PRINTED : PRINTED_BESIDE;
  const onPaper = causes.length - printed;
  const isLive = answer.outcome === 'live' || answer.outcome === 'partial';
  return section('causes', say('report.causes.title'), [
    unreadable.length > 0 && html`<p class="note">${say('report.causes.unreadable')}</p>`,
    causes.slice(0, SHOWN).map((cause, at) => card(cause, { isPrinted: at < printed, isLive }, language)),
    onPaper > 0 && html`<p class="note paper">${say('report.causes.more', { count: onPaper })}</p>`,
    rest.length > 0 && furtherCauses(rest, language),
  ]);
}

function card(
  cause: RowCause,
  { isPrinted, isLive }: { isPrinted: boolean; isLive: boolean },
  language: Language,
): Html {
  const { say } = language;
  const { severity, by, rows, brands, examples } = cause;
  const left = severity === 'warning' ? 'report.causes.doubtful' : (`report.causes.${by}` as const);
  const isSaid = rows > 0 && (severity === 'error' || (severity === 'warning' && isLive));
  return html`<article class="cause ${severity} ${!isPrinted && 'screen'}">
    <h3><span class="count">${countOf(cause, language)}</span> ${titleOf(cause, language)}</h3>
    ${isSaid && html`<p class="note">${say(left)}</p>`}
    ${brands.length > 0 && html`<p>${say('report.causes.brands')} ${brandList(cause, language)}</p>`}
    ${rows > 0 && examples.some(({ line }) => line !== null) && examplesTable(cause, language)}
    <p class="remedy"><b>${say('report.causes.remedy')}</b> ${prose(causeRemedy(cause, language))}</p>
  </article>`;
}

function countOf({ rows }: RowCause, { say }: Language): string {
  return rows === 0 ? say('report.causes.file') : say('report.causes.rows', { count: rows });
}

function titleOf(cause: RowCause, language: Language): Part {
  const isOther = cause.code === null && cause.text === null;
  return isOther ? language.say('report.causes.other') : message(causeTitle(cause, language));
}

function brandList({ brands, moreBrands }: RowCause, language: Language): Part {
  const named = brands.map(
    ({ brand, rows }, at) =>
      html`${at > 0 && ', '}<span class="brands">${part({ brand, oem: null })} ${language.number(rows)}</span>`,
  );
  return [named, moreBrands > 0 && ` ${language.say('report.causes.moreBrands', { count: moreBrands })}`];
}

function examplesTable(cause: RowCause, language: Language): Html {
  const { say } = language;
  const columns = [
    { head: say('report.place'), cell: (example: CauseExample) => place(example, language) },
    {
      head: say('report.part'),
      cell: (example: CauseExample) => [part(example), demandMark(example.demand ?? null, language)],
    },
    ...(cause.by === 'service'
      ? []
      : [
          {
            head: cause.column === null ? say('report.value') : columnWord(cause.column, language),
            cell: (example: CauseExample) => value(example.value, language),
          },
        ]),
  ];
  const label = `${say('report.causes.examples')}: ${countOf(cause, language)}, ${causeTitle(cause, language)}`;
  return table(label, columns, cause.examples, 'short');
}

function furtherCauses(causes: RowCause[], language: Language): Html {
  const { say } = language;
  const columns = [
    { head: say('report.causes.count'), cell: (cause: RowCause) => countOf(cause, language) },
    { head: say('report.causes.cause'), cell: (cause: RowCause) => titleOf(cause, language) },
  ];
  return html`<details class="screen">
    <summary>${say('report.causes.more', { count: causes.length })}</summary>
    <div>${table(say('report.causes.further'), columns, causes.slice(0, LISTED))}</div>
  </details>`;
}
