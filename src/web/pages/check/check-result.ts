import type { ColumnMapping, Dialect, Issue, LocalCounts } from '../../../model.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { issueText } from '../../../wording/managers/cause-words.ts';
import { dialectFor } from '../../parts/reasons/read-as.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import { columnsTable } from '../../parts/columns-table.ts';
import { table } from '../../parts/table.ts';

/** What `offerline check --json` answers, as far as it is shown. */
export type Checked = {
  wouldBe: 'uploaded' | 'held' | 'rejected';
  reason: string | null;
  dialect: Dialect | null;
  mapping: ColumnMapping[];
  rows: LocalCounts;
  issues: Record<string, number>;
  sample: Issue[];
  notes: string[];
  marked: { reason: string | null } | null;
};

const TONES = { uploaded: 'good', held: 'waiting', rejected: 'bad' };

/** So many issues are shown one by one. */
const SHOWN = 100;

/** What a check found: whether the file would be uploaded, how it was read, and what is wrong, row by row. */
export function checkResult(
  { wouldBe, reason, dialect, mapping, rows, issues, sample, notes }: Checked,
  language: Language,
): Html {
  const { say, number } = language;
  return html`<p class="verdict ${TONES[wouldBe]}" role="status">${say(`web.check.${wouldBe}`)}</p>
    ${reason !== null && html`<p class="reason ${wouldBe}">${programsWords(reason, language)}</p>`}
    <dl class="facts">
      <dt>${say('web.account.read')}</dt>
      <dd>${number(rows.read)}</dd>
      ${
        rows.expanded > 0 &&
        html`<dt>${say('web.account.expanded')}</dt>
          <dd>${number(rows.expanded)}</dd>`
      }
      <dt>${say('web.account.accepted')}</dt>
      <dd>${number(rows.accepted)}</dd>
      <dt>${say('web.account.rejectedLocally')}</dt>
      <dd>${number(rows.rejectedLocally)}</dd>
      <dt>${say('web.account.duplicates')}</dt>
      <dd>${number(rows.duplicates)}</dd>
      ${
        rows.leftOut > 0 &&
        html`<dt>${say('web.account.leftOut')}</dt>
          <dd>${number(rows.leftOut)}</dd>`
      }
      ${
        dialect !== null &&
        html`<dt>${say('web.check.dialect')}</dt>
          <dd>${dialectFor(dialect, language)}</dd>`
      }
    </dl>
    ${notes.map((note) => html`<p class="note">${programsWords(note, language)}</p>`)}
    ${mapping.length > 0 && html`<h2>${say('web.check.columns')}</h2>`} ${columnsTable(mapping, language)}
    ${counts(issues, rows, language)} ${listed(sample, language)}`;
}

function counts(issues: Record<string, number>, { read }: LocalCounts, { say, number }: Language): Part {
  const found = Object.entries(issues).toSorted(([, a], [, b]) => b - a);
  // Of a file that could not be read nothing is known to be right.
  if (found.length === 0 && read === 0) return null;
  if (found.length === 0) return html`<p>${say('web.check.clean')}</p>`;
  const rows = found.map(([code, count]): Part[] => [
    html`<a href="/docs?q=${encodeURIComponent(code)}"><code>${code}</code></a>`,
    number(count),
  ]);
  return html`<h2>${say('web.check.issues')}</h2>
    ${table(say('web.check.issues'), [{ title: say('web.check.code') }, { title: say('web.check.count'), number: true }], rows)}`;
}

function listed(sample: Issue[], language: Language): Part {
  if (sample.length === 0) return null;
  const { say } = language;
  const titles = ['web.rows.line', 'web.check.column', 'web.feed.value', 'web.part.why'] as const;
  const rows = sample
    .slice(0, SHOWN)
    .map(({ file, sheet, line, column, value, ...found }): Part[] => [
      html`${file !== undefined && html`<bdi>${file}</bdi> `}${sheet !== null && html`<bdi>${sheet}</bdi> `}${line}`,
      column,
      value !== null && html`<bdi class="value">${value.slice(0, 200)}</bdi>`,
      html`<bdi>${issueText({ ...found, by: 'us', column }, language)}</bdi>`,
    ]);
  return table(
    say('web.check.rows'),
    titles.map((key) => ({ title: say(key) })),
    rows,
  );
}
