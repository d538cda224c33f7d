import type { BrandDiff } from '../../model.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { table } from './table.ts';

/** What changes of each brand. */
export function brandsTable(
  brands: readonly Pick<BrandDiff, 'brand' | 'added' | 'removed' | 'changed'>[],
  { say, number }: Language,
): Html {
  const columns = [
    { title: say('web.part.brand') },
    ...(['added', 'removed', 'changed'] as const).map((key) => ({
      title: say(`web.change.${key}`),
      number: true as const,
    })),
  ];
  const rows = brands.map(({ brand, added, removed, changed }): Part[] => [
    html`<bdi>${brand}</bdi>`,
    number(added),
    number(removed),
    number(changed),
  ]);
  return table(say('web.rehearsal.brands'), columns, rows);
}
