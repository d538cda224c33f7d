import { createHash } from 'node:crypto';
import { html, type Html, type Part } from '../../wording/html.ts';

/** Part of a page that changes by itself while the page is open; nothing around it moves. */
export type Cell = (key: string, content: Part, tag?: CellTag) => Html;
type CellTag = 'span' | 'div' | 'td' | 'tbody' | 'ul' | 'dl' | 'p' | 'section' | 'ol';

/** What stands in each cell of a page, and a mark of it. */
export type Cells = ReadonlyMap<string, { markup: string; mark: string }>;

/** Collects the cells of a page while the page is made. */
export function collectCells(): { cell: Cell; cells: Cells } {
  const cells = new Map<string, { markup: string; mark: string }>();
  const cell: Cell = (key, content, tag = 'span') => {
    const { markup } = html`${content}`;
    const mark = markOf(markup.replaceAll(FORM_KEY, ''));
    cells.set(key, { markup, mark });
    return element(tag, html` data-cell="${key}" data-mark="${mark}"`, { markup });
  };
  return { cell, cells };
}

/** The mark of all cells of a page: two pages with the same show the same. */
export function markOfAll(cells: Cells): string {
  return markOf([...cells].map(([key, { mark }]) => `${key} ${mark}`).join('\n'));
}

/** Each rendering gives its forms another key, which changes nothing for their reader. */
const FORM_KEY = /name="once" value="[^"]*"/gu;

/** Long enough that no two states of a cell share it by chance. */
const MARK_LENGTH = 12;

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH);
}

/** The tag is one of a closed list of our own, and never from outside. */
function element(tag: string, attributes: Html, content: Part): Html {
  const name: Html = { markup: tag };
  return html`<${name}${attributes}>${content}</${name}>`;
}
