import type { ColumnMapping } from '../../model.ts';
import { html, type Part } from '../../wording/html.ts';
import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import type { Language } from '../../wording/language/language.ts';
import { evidenceFor } from './reasons/read-as.ts';
import { table } from './table.ts';

/** Which column of a file holds what, how sure that is, and the evidence. */
export function columnsTable(mapping: readonly ColumnMapping[], language: Language): Part {
  const { say } = language;
  if (mapping.length === 0) return null;
  const titles = ['web.check.key', 'web.check.column', 'web.check.sure', 'web.check.evidence'] as const;
  const rows = mapping.map(({ key, column, position, sure, evidence }): Part[] => [
    key,
    html`${position === HEADINGS ? say('columns.above') : position}${column !== null && html`: <bdi>${column}</bdi>`}`,
    say(sure ? 'web.check.yes' : 'web.check.proposed'),
    evidenceFor(evidence, language),
  ]);
  return table(
    say('web.check.columns'),
    titles.map((key) => ({ title: say(key) })),
    rows,
  );
}
