import { html, type Html, type Part } from '../../html.ts';

/** Longer values are cut; the whole text is in the title. */
const VALUE_LENGTH = 80;

/** A value of a supplier's file as it is, spaces included, cut when it is long; nothing is shown as a dash. */
export function value(text: string | null): Html {
  if (text === null) return html`<span class="none">—</span>`;
  if (text === '') return html`<span class="none">(empty)</span>`;
  if (text.length <= VALUE_LENGTH) return html`<bdi class="value">${text}</bdi>`;
  return html`<bdi class="value" title="${text}">${text.slice(0, VALUE_LENGTH).toWellFormed()}…</bdi>`;
}

/** A section with a heading; without content there is none. */
export function section(id: string, heading: string, content: Part): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;
}

/** A column of a table; numbers are set to the right. */
export type Column<Row> = { head: string; number?: boolean; cell: (row: Row) => Part };

/** A table that can be moved sideways on a narrow screen, also by keyboard. */
export function table<Row>(label: string, columns: Column<Row>[], rows: Row[]): Html {
  const kind = (column: Column<Row>) => column.number === true && html` class="number"`;
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" ${kind(column)}>${column.head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column) => html`<td ${kind(column)}>${column.cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
