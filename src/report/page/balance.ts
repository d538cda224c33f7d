import { accountLines } from '../../wording/account.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language, MessageKey } from '../../wording/language/language.ts';
import { accountRows, changesText, signOf, skippedText } from '../../wording/managers/account-words.ts';
import type { FileCounts, JoinedFile, JoinedRow, RunAnswer } from '../../model.ts';
import { table } from './parts.ts';
import { BAR_WIDTH, layFlow, WIDTH, type Band, type Bar } from './flow.ts';

type AccountRow = ReturnType<typeof accountRows>[number];

/** The balance of the rows as a picture with its numbers, from those that were read to those that are live; null without rows. */
export function accountPicture(answer: RunAnswer, language: Language): Html | null {
  const rows = accountRows(answer, language);
  if (rows.length === 0) return null;
  const { bars, bands, height } = layFlow(accountLines(answer));
  const stops = rows.filter(({ kind }) => kind === 'sum');
  const skipped = skippedText(answer, language);
  const changes = changesText(answer, language);
  return html`${changes !== null && html`<p><b>${language.say('account.changes')}:</b> ${changes}</p>`}
    <figure class="flow">
      <ol>
        ${stops.map(({ label, count }) => html`<li><b>${count}</b> ${label}</li>`)}
      </ol>
      <svg viewBox="0 0 ${WIDTH} ${round(height)}" preserveAspectRatio="none" role="img" aria-label="${inWords(rows)}">
        ${bands.map(bandPath)}${bars.map(barRect)}
      </svg>
      <figcaption>
        <table class="account">
          <tbody>
            ${rows.map(accountRow)}
          </tbody>
        </table>
      </figcaption>
    </figure>
    ${skipped !== null && html`<p class="note"><bdi>${skipped}</bdi></p>`}`;
}

/** What was read of each file of a delivery of several, as a table; null for one file. */
export function filesTable({ files = [] }: Pick<RunAnswer, 'files'>, language: Language): Html | null {
  if (files.length === 0) return null;
  const { say, number } = language;
  const count = (name: MessageKey, of: (counts: FileCounts) => number) => ({
    head: say(name),
    number: true,
    cell: (counts: FileCounts) => number(of(counts)),
  });
  const columns = [
    { head: say('report.delivery'), cell: ({ file }: FileCounts) => html`<bdi>${file}</bdi>` },
    count('account.read', ({ read, expanded }) => read + expanded),
    count('account.accepted', ({ accepted }) => accepted),
    count('account.rejectedHere', ({ rejectedLocally }) => rejectedLocally),
    count('account.duplicates', ({ duplicates }) => duplicates),
    ...(files.some(({ leftOut }) => leftOut > 0) ? [count('account.leftOut', ({ leftOut }) => leftOut)] : []),
  ];
  return html`<h3>${say('report.files')}</h3>
    ${table(say('report.files'), columns, files, 'cards numbers')}`;
}

/** What came of each file that was joined to the list, as a table, and the first rows of either that the other lacks; null where none was. */
export function joinedTable({ joined = [] }: Pick<RunAnswer, 'joined'>, language: Language): Html | null {
  if (joined.length === 0) return null;
  const { say, number } = language;
  const count = (name: MessageKey, of: (one: JoinedFile) => number) => ({
    head: say(name),
    number: true,
    cell: (one: JoinedFile) => number(of(one)),
  });
  const columns = [
    { head: say('report.delivery'), cell: ({ file }: JoinedFile) => html`<bdi>${file}</bdi>` },
    { head: say('report.joined.columns'), cell: (one: JoinedFile) => html`<bdi>${one.columns.join(', ')}</bdi>` },
    count('report.joined.rows', ({ rows }) => rows),
    count('report.joined.given', ({ joined: given }) => given),
    count('report.joined.without', ({ withoutPartner }) => withoutPartner),
    count('report.joined.beyond', ({ withoutRow }) => withoutRow),
  ];
  const notes = joined.flatMap(({ file, examples }) =>
    (
      [
        ['report.joined.lacks', examples.withoutPartner],
        ['report.joined.more', examples.withoutRow],
        ['report.joined.again', examples.repeated],
      ] as const
    ).flatMap(([key, rows]) =>
      rows.length === 0 ? [] : [say(key, { file, rows: rows.map((row) => joinedRow(row, language)).join(', ') })],
    ),
  );
  return html`<h3>${say('report.joined')}</h3>
    ${table(say('report.joined'), columns, joined, 'cards numbers')}
    ${notes.map((note) => html`<p class="note"><bdi>${note}</bdi></p>`)}`;
}

function joinedRow({ part, sheet, line }: JoinedRow, { say }: Language): string {
  const place = sheet === null ? say('supplier.place.line', { line }) : say('supplier.place.sheet', { sheet, line });
  return `${part} (${place})`;
}

function inWords(rows: AccountRow[]): string {
  return rows.map(({ kind, label, count }) => `${signOf(kind)}${label} ${count}`).join(', ');
}

function accountRow({ label, count, fate, kind }: AccountRow): Html {
  return html`<tr class="${kind}">
    <th scope="row">${fate !== null && html`<i class="swatch ${fate}"></i>`}${signOf(kind)}${label}</th>
    <td>${count}</td>
  </tr>`;
}

function barRect({ x, y, height, fate }: Bar): Html {
  const [left, top, high] = [x, y, height].map(round);
  return html`<rect class="${fate ?? 'rows'}" x="${left}" y="${top}" width="${BAR_WIDTH}" height="${high}"></rect>`;
}

function bandPath({ from, to, height, fate }: Band): Html {
  const [left, right, middle] = [from.x, to.x, (from.x + to.x) / 2].map(round);
  const [a, b, c, d] = [from.y, to.y, to.y + height, from.y + height].map(round);
  const upper = `M${left} ${a}C${middle} ${a} ${middle} ${b} ${right} ${b}`;
  const lower = `V${c}C${middle} ${c} ${middle} ${d} ${left} ${d}Z`;
  return html`<path class="band ${fate ?? 'rows'}" d="${upper}${lower}"></path>`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
