import { html, prose, type Html } from '../../wording/html.ts';
import { rowWords } from '../../wording/files/place.ts';
import { grouped } from '../../wording/words.ts';
import type { IssueDigest } from '../digest.ts';
import type { StoredIssue } from '../input.ts';
import { message, section, table, value } from './parts.ts';

/** Kinds of issues that are shown opened; the others open on demand. */
const OPENED = 3;

/** The issues of the file by kind, each with its first examples, and what of them could not be read. */
export function issuesSection(digest: IssueDigest[], unreadable: string[]): Html {
  if (digest.length + unreadable.length === 0) return html``;
  const lost = unreadable.map((text) => html`<p class="note">${prose(text)}</p>`);
  return section('issues', 'Issues in the supplier’s file', [...lost, ...digest.map(kindOfIssue)]);
}

function kindOfIssue(kind: IssueDigest, at: number): Html {
  const { code, title, description, severity, count, examples } = kind;
  const opened = at < OPENED && html` open`;
  return html`<details ${opened}>
    <summary>
      <span class="count">${grouped(count)}</span><span class="title">${title}</span> <span class="code">${code}</span
      ><span class="mark ${severity}">${severity}</span>
    </summary>
    <div>
      ${description !== '' && html`<p>${prose(description)}</p>`}
      ${examples.length > 0 && table<StoredIssue>(`Examples: ${title}`, COLUMNS, examples)}
      ${count > examples.length && html`<p class="note">and ${grouped(count - examples.length)} more in the CSV.</p>`}
    </div>
  </details>`;
}

const COLUMNS = [
  {
    head: 'Line',
    number: true,
    cell: ({ sheet = null, line }: StoredIssue) => (line === null ? 'file' : rowWords({ sheet, line })),
  },
  { head: 'Column', cell: ({ column }: StoredIssue) => column ?? '—' },
  { head: 'Value', cell: (issue: StoredIssue) => value(issue.value) },
  { head: 'Finding', cell: (issue: StoredIssue) => message(issue.message) },
];
