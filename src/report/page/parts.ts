import { html, type Html, type Part } from '../../wording/html.ts';
import { inFile } from '../../wording/files/place.ts';
import type { Language } from '../../wording/language/language.ts';
import { demandWord } from '../../wording/managers/demand-words.ts';

/** Longer names, values and messages are cut; the title has more. */
const NAME_LENGTH = 40;
const VALUE_LENGTH = 80;
const MESSAGE_LENGTH = 400;
/** A cell may have a million characters; nobody reads them in a page. */
const TITLE_LENGTH = 5000;

/** A value of a supplier's file as it is, spaces included, cut when it is long; nothing is shown as a dash. */
export function value(text: string | null, { say }: Language): Html {
  if (text === null) return html`<span class="none">—</span>`;
  if (text === '') return html`<span class="none">${say('report.empty')}</span>`;
  return short(text, VALUE_LENGTH, 'value');
}

/** The brand of a part, and its number where there is one; both as the supplier writes them. */
export function part({ brand, oem }: { brand: string | null; oem: string | null }): Part {
  const named = brand === null || brand === '' ? html`<span class="none">—</span>` : short(brand, NAME_LENGTH, 'brand');
  return oem === null || oem === '' ? named : [named, ' ', short(oem, NAME_LENGTH, 'value')];
}

/** How much a part is looked for, behind its name; nothing where that is not known. */
export function demandMark(category: number | null, language: Language): Html {
  const word = demandWord(category, language);
  return word === null ? html`` : html` <span class="mark">${word}</span>`;
}

/** Where a row stands in the supplier's file. */
export function place(
  { file, sheet, line }: { file?: string | undefined; sheet: string | null; line: number | null },
  { say }: Language,
): string {
  if (line === null) return file ?? say('report.place.file');
  const facts = { line: String(line) };
  const said = sheet === null ? say('report.place.line', facts) : say('report.place.sheet', { ...facts, sheet });
  return inFile(file, said);
}

/** What somebody says of a row, cut when it is very long. */
export function message(text: string): Html {
  return short(text, MESSAGE_LENGTH, 'message');
}

/** `bdi` keeps text that is written from right to left from reordering what stands around it. */
function short(text: string, length: number, kind: string): Html {
  if (text.length <= length) return html`<bdi class="${kind}">${text}</bdi>`;
  return html`<bdi class="${kind}" title="${text.slice(0, TITLE_LENGTH)}"
    >${text.slice(0, length).toWellFormed()}…</bdi
  >`;
}

/** A section with a heading. */
export function section(id: string, heading: string, content: Part): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;
}

/** A section that is opened by who wants to know, and not printed. */
export function folded(id: string, heading: string, content: Part): Html {
  return html`<section class="folded" aria-labelledby="${id}">
    <details>
      <summary><h2 id="${id}">${heading}</h2></summary>
      <div>${content}</div>
    </details>
  </section>`;
}

/** A column of a table; numbers are set to the right. */
export type Column<Row> = { head: string; number?: boolean; cell: (row: Row) => Part };

/** A table that can be moved sideways, also by keyboard. `cards`: on a phone each row is a card, its numbers beside each other for `cards numbers`; `short`: no wider than needed. */
export function table<Row>(
  label: string,
  columns: Column<Row>[],
  rows: Row[],
  shape: 'cards' | 'cards numbers' | 'short' = 'cards',
): Html {
  return html`<div class="wide ${shape}" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map(({ head, number }) => html`<th scope="col" class="${number === true && 'number'}">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column) => dataCell(column, row))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function dataCell<Row>({ head, number, cell }: Column<Row>, row: Row): Html {
  return html`<td class="${number === true && 'number'}" data-head="${head}"><span>${cell(row)}</span></td>`;
}
