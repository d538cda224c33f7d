import { html, type Html } from '../../wording/html.ts';
import { changeHeadline } from '../../wording/managers/change-words.ts';
import type { BrandDiff, LiveChange, RowChange, RowsDiff } from '../../model.ts';
import { byDemand, type Demand } from '../../parts/demand.ts';
import type { Language } from '../../wording/language/language.ts';
import type { ReportInput } from '../input.ts';
import { changePicture } from './change-picture.ts';
import { demandMark, part, place, section, table, value } from './parts.ts';

/** Brands that the page shows. */
const SHOWN_BRANDS = 6;
/** Brands whose first rows it shows. */
const SHOWN_EXAMPLES = 5;

/** What changed against the last live delivery; of a held one what would change. */
export function changeSection({ answer, change, strip, demand, language }: ReportInput): Html {
  const { say } = language;
  const { diff, outcome } = answer;
  if (diff !== null) {
    const whose = diff.of === 'feed' ? say('report.change.feed') : say('report.change.dataset');
    return section('change', say('report.change.held'), [
      html`<p class="note">${whose}</p>`,
      content(diff, language),
      examplesOf(diff, demand, language),
    ]);
  }
  if (outcome !== 'live' && outcome !== 'partial') return html``;
  if (change !== null) {
    return section('change', say('report.change.title'), [
      content(change, language),
      tagsText(change, language),
      examplesOf(change, demand, language),
    ]);
  }
  const isFirst = !strip.some((one) => one.rows !== null && one.at < (answer.finishedAt ?? answer.createdAt));
  return section('change', say('report.change.title'), [
    html`<p>${isFirst ? say('report.change.first') : say('report.change.unknown')}</p>`,
  ]);
}

function content(diff: RowsDiff, language: Language): Html[] {
  const { say, number } = language;
  const { added, removed, changed } = diff;
  const headline = changeHeadline(diff, language);
  if (added + removed + changed === 0) return [html`<p>${say('report.change.nothing', { count: diff.after })}</p>`];
  const shown = diff.brands.slice(0, SHOWN_BRANDS);
  const left = diff.brands.length - shown.length + diff.moreBrands;
  const columns = [
    {
      head: say('report.change.brand'),
      cell: (brand: BrandDiff) => [part({ brand: brand.brand, oem: null }), fateOf(brand, language)],
    },
    ...(['before', 'after', 'added', 'removed', 'changed'] as const).map((field) => ({
      head: say(`report.change.${field}`),
      number: true,
      cell: (brand: BrandDiff) => number(brand[field]),
    })),
  ];
  return [
    html`<p>${headline}</p>`,
    changePicture(diff, headline, language),
    table(say('report.change.brands'), columns, shown, 'cards numbers'),
    left > 0 ? html`<p class="note">${say('report.change.moreBrands', { count: left })}</p>` : html``,
  ];
}

/** A brand that is new or gone is more than a number. */
function fateOf({ before, after }: BrandDiff, { say }: Language): Html {
  if (before > 0 && after > 0) return html``;
  return html` <span class="mark">${say(before === 0 ? 'report.change.newBrand' : 'report.change.goneBrand')}</span>`;
}

function tagsText({ tags }: LiveChange, { say }: Language): Html {
  if (tags.added + tags.removed === 0) return html``;
  return html`<p>${say('report.change.tags', { added: tags.added, removed: tags.removed })}</p>`;
}

function examplesOf({ brands }: RowsDiff, demand: Demand, language: Language): Html {
  const rows = brands
    .slice(0, SHOWN_EXAMPLES)
    .flatMap(({ brand, examples: ofBrand }) => ofBrand.map((row) => ({ brand, ...row })));
  const examples = byDemand(rows, demand, (row) => row);
  if (examples.length === 0) return html``;
  const { say } = language;
  const columns = [
    { head: say('report.change.what'), cell: ({ change }: RowChange) => say(`report.change.is.${change}`) },
    {
      head: say('report.part'),
      cell: (row: RowChange & { brand: string }) => [part(row), demandMark(demand.of(row), language)],
    },
    {
      head: say('report.place'),
      cell: ({ file, sheet = null, line }: RowChange) => place({ file, sheet, line }, language),
    },
    {
      head: say('report.change.cells'),
      cell: ({ cells }: RowChange) =>
        cells.map(
          ({ column, before, after }) =>
            html`<div>${column}: ${value(before ?? '', language)} → ${value(after, language)}</div>`,
        ),
    },
  ];
  return html`<details class="screen">
    <summary>${say('report.change.examples')}</summary>
    <div>${table(say('report.change.examples'), columns, examples)}</div>
  </details>`;
}
