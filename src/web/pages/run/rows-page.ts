import { OfferlineError } from '../../../errors.ts';
import { rowsOfRun } from '../../../jobs/rows/rows-of-run.ts';
import { GROUPS, type RowGroup, type RunRowFacts, type RunRows } from '../../../jobs/rows/run-rows.ts';
import { rowPlaceWords } from '../../../wording/files/place.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { issueText } from '../../../wording/managers/cause-words.ts';
import { filterForm } from '../../parts/filter.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import { numberedPager } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { namedRun } from '../../named.ts';
import type { Answer } from '../../route.ts';
import { sees, type Visit } from '../../visit.ts';

/** The rows behind one number of a run's account, with what became of each and the supplier's own line. */
export async function rowsPage(visit: Visit): Promise<Answer> {
  const { ctx, url, language } = visit;
  const { say } = language;
  const run = await namedRun(visit);
  const group = groupOf(url.searchParams.get('group') ?? 'read');
  const page = Number(url.searchParams.get('page') ?? '1');
  const search = url.searchParams.get('search')?.slice(0, 200) ?? '';
  const found = await rowsOfRun(run.id, { group, page, search }, ctx);
  const title = say(`web.account.${group}`);
  const body = html`
    <p class="soft"><a href="/runs/${run.id}">${run.feed} ${run.id}</a></p>
    <h1>${title}: ${language.number(found.total)}</h1>
    <nav aria-label="${say('web.run.account')}">
      <p>
        ${GROUPS.map((one, at) => html`${at > 0 && ' · '}<a href="/runs/${run.id}/rows?group=${one}" ${one === group && html`aria-current="page"`}>${say(`web.account.${one}`)}</a>`)}
      </p>
    </nav>
    ${filterForm(
      url,
      [
        { name: 'search', label: say('web.rows.search'), type: 'search' },
        { name: 'group', hidden: group },
      ],
      language,
    )}
    ${found.notes.map((note) => html`<p class="reason held">${programsWords(note, language)}</p>`)}
    ${found.rows.length === 0 ? html`<p>${say('web.rows.none')}</p>` : rowsTable(found, visit)}
    ${numberedPager({ page: found.page, size: found.size, total: found.matches }, url, language)}
  `;
  return { page: { title: `${title} · ${run.id}`, body, section: '/runs' } };
}

function groupOf(text: string): RowGroup {
  const group = GROUPS.find((one) => one === text);
  if (group === undefined)
    throw new OfferlineError('not-found', `There are no rows called ${text}; there are ${GROUPS.join(', ')}.`);
  return group;
}

function rowsTable({ rows, supplierLines }: RunRows, visit: Visit): Html {
  const { say } = visit.language;
  const columns = [
    'web.rows.line',
    'web.part.brand',
    'web.part.number',
    'web.part.verdict',
    'web.part.why',
    'web.rows.theirs',
  ] as const;
  return html`${supplierLines.missing !== null && html`<p class="note">${programsWords(supplierLines.missing, visit.language)}</p>`}
  ${table(
    say('web.run.account'),
    columns.map((key) => ({ title: say(key) })),
    rows.map((row) => rowCells(row, supplierLines.names, visit)),
  )}`;
}

function rowCells(row: RunRowFacts, names: string[], visit: Visit): Part[] {
  const { say } = visit.language;
  const { line, key, verdict, reasons, winner, supplierLine } = row;
  return [
    line === null ? '–' : rowPlaceWords({ ...row, line }),
    html`<bdi>${key.brand}</bdi>`,
    html`<bdi>${key.oem}</bdi>`,
    html`<span class="say ${verdict === 'live' ? 'good' : 'waiting'}">${say(`web.rows.${verdict}`)}</span>`,
    [
      reasons.map(
        ({ column, value, ...found }) =>
          html`<bdi>${column !== null && `${column}: `}${issueText({ ...found, column }, visit.language)}</bdi
            >${value !== null && html` <bdi class="value">${value.slice(0, 100)}</bdi>`}<br />`,
      ),
      winner !== null &&
        html`${say('web.rows.winner')}
        ${sees(winner.feed, visit) ? html`${winner.feed} ${rowPlaceWords(winner)}` : say('web.part.another')}`,
    ],
    supplierLine !== null && theirs(supplierLine, names),
  ];
}

/** The supplier's own line: as it stands in a text, else cell by cell. */
function theirs({ text, cells }: NonNullable<RunRowFacts['supplierLine']>, names: string[]): Part {
  if (text !== null) return html`<bdi class="source-line">${text.slice(0, 500)}</bdi>`;
  return html`<span class="source-line"
    >${cells.map((cell, at) => html`${names[at] ?? at + 1}: <bdi>${cell}</bdi>; `)}</span
  >`;
}
