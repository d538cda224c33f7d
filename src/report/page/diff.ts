import { diffWords, exampleText } from '../../wording/diff-words.ts';
import { html, type Html } from '../../wording/html.ts';
import type { BrandDiff, RunAnswer } from '../../model.ts';
import { grouped } from '../../wording/words.ts';
import { section, table, value } from './parts.ts';

const COUNTS = ['before', 'after', 'added', 'removed', 'changed'] as const;
const HEADS = { before: 'Live', after: 'New', added: 'Added', removed: 'Removed', changed: 'Changed' };

/** What a held run would have changed, by brand, with examples. */
export function diffSection({ diff }: RunAnswer): Html {
  if (diff === null) return html``;
  const { heading, more } = diffWords(diff, diff.brands.length);
  const columns = [
    { head: 'Brand', cell: ({ brand }: BrandDiff) => value(brand) },
    ...COUNTS.map((field) => ({ head: HEADS[field], number: true, cell: (row: BrandDiff) => grouped(row[field]) })),
    {
      head: 'Examples',
      cell: ({ examples }: BrandDiff) => examples.map((example) => html`<div>${exampleText(example)}</div>`),
    },
  ];
  return section('diff', 'What would change', [
    html`<p>${heading}.</p>`,
    diff.brands.length > 0 && table('Changes by brand', columns, diff.brands),
    more !== null && html`<p class="note">${more}.</p>`,
  ]);
}
