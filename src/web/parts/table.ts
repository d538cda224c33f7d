import { html, type Html, type Part } from '../../wording/html.ts';

/** A column: its title, and whether it has numbers, which stand below one another. */
export type Column = { title: Part; number?: true };

/** The cells of a row; the first is its head. */
export type Row = readonly Part[];

/** A table that becomes a list of blocks on a narrow screen. `caption` says what it is to those who do not see the page around it. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Html {
  return html`<div class="stack">
    <table>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ title, number }) => html`<th scope="col" ${number && html`class="number"`}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => tableRow(columns, row))}
      </tbody>
    </table>
  </div>`;
}

function tableRow(columns: readonly Column[], row: Row): Html {
  return html`<tr>
    ${row.map((cell, at) => tableCell(columns[at]!, cell, at === 0))}
  </tr>`;
}

function tableCell({ title, number }: Column, cell: Part, isHead: boolean): Html {
  if (isHead) return html`<th scope="row" ${number && html`class="number"`}>${cell}</th>`;
  // What is quite empty takes no line on a narrow screen.
  if (cell === '' || cell === null || cell === false) return html`<td></td>`;
  return html`<td
    ${typeof title === 'string' && title !== '' && html`data-head="${title}"`}
    ${number && html`class="number"`}
  >
    ${cell}
  </td>`;
}
