import { html, type Html } from '../../wording/html.ts';
import { issueMessage } from '../../wording/managers/cause-words.ts';
import type { Rejection } from '../../model.ts';
import type { Demand } from '../../parts/demand.ts';
import type { Language } from '../../wording/language/language.ts';
import { partNamer, type ReportInput, type StoredIssue } from '../input.ts';
import { accountPicture, filesTable, joinedTable } from './balance.ts';
import { demandMark, folded, message, part, place, table, value } from './parts.ts';

/** Rows of each kind that the page lists; the CSV has all. */
export const LISTED_ROWS = 50;

/** What became of the rows: the account as a picture, and the first of the rows with problems. */
export function rowsSection(
  { answer, language, columns, demand }: ReportInput,
  { issues, rejections }: { issues: StoredIssue[]; rejections: Rejection[] },
): Html {
  const { say } = language;
  const { rejectionsTotal } = answer;
  const account = accountPicture(answer, language);
  const partOf = partNamer(columns.issues);
  const found = Object.values(answer.issues).reduce((sum, count) => sum + count, 0);
  if (account === null && issues.length + rejections.length === 0) return html``;
  return folded('rows', say('report.rows.title'), [
    account,
    filesTable(answer, language),
    joinedTable(answer, language),
    rejections.length > 0 && [
      html`<h3>${say('report.rows.service')}</h3>`,
      table(
        say('report.rows.service'),
        rejectionColumns(demand, language, answer.dialect?.format === 'files'),
        rejections,
      ),
      cutNote(rejectionsTotal - rejections.length, language),
    ],
    issues.length > 0 && [
      html`<h3>${say('report.rows.us')}</h3>`,
      table(
        say('report.rows.us'),
        issueColumns((issue) => demandMark(demand.of(partOf(issue)), language), language),
        issues,
      ),
      cutNote(found - issues.length, language),
    ],
  ]);
}

function cutNote(left: number, { say }: Language): Html {
  return left > 0 ? html`<p class="note">${say('report.rows.more', { count: left })}</p>` : html``;
}

function rejectionColumns(demand: Demand, language: Language, ofFiles: boolean) {
  const { say } = language;
  return [
    { head: say('report.place'), cell: (rejection: Rejection) => rejectionPlace(rejection, language, ofFiles) },
    {
      head: say('report.part'),
      cell: (rejection: Rejection) => [part(rejection), demandMark(demand.of(rejection), language)],
    },
    {
      head: say('report.rows.says'),
      cell: (rejection: Rejection) => [rejection.code !== null && `${rejection.code} `, message(rejection.message)],
    },
  ];
}

function rejectionPlace(rejection: Rejection, language: Language, ofFiles: boolean): string {
  const { file, sheet, line, match, candidates = [], fits = 0 } = rejection;
  if (line !== null) return place({ file: ofFiles ? (file ?? undefined) : undefined, sheet, line }, language);
  if (match !== 'ambiguous') return language.say('report.rows.untraced');
  if (candidates.length === 0) return language.say('report.rows.several');
  const shown = candidates.slice(0, 3).map((one) => `${one.feed}, ${place(one, language)}`);
  return language.say('report.rows.oneOf', { count: fits, places: language.list(shown) });
}

function issueColumns(markOf: (issue: StoredIssue) => Html, language: Language) {
  const { say } = language;
  return [
    {
      head: say('report.place'),
      cell: (issue: StoredIssue) => {
        const { file, sheet = null, line } = issue;
        return [place({ file, sheet, line }, language), markOf(issue)];
      },
    },
    { head: say('report.column'), cell: ({ column }: StoredIssue) => column ?? '—' },
    { head: say('report.value'), cell: (issue: StoredIssue) => value(issue.value, language) },
    { head: say('report.rows.finding'), cell: (issue: StoredIssue) => message(issueMessage(issue, language)) },
  ];
}
