import type { ChangedPart } from '../../model.ts';
import { byDemand } from '../../parts/demand.ts';
import { html, type Html } from '../../wording/html.ts';
import type { ReportInput } from '../input.ts';
import { demandMark, part, section, table } from './parts.ts';

/** Live parts that a held delivery lacks, beside what stands in their place. */
export function goneSection({ answer: { partsGone }, demand, language }: ReportInput): Html {
  const examples = byDemand(partsGone?.examples ?? [], demand, ({ before }) => before);
  if (examples.length === 0) return html``;
  const { say } = language;
  const columns = [
    {
      head: say('report.gone.before'),
      cell: ({ before }: ChangedPart) => [part(before), demandMark(demand.of(before), language)],
    },
    { head: say('report.gone.after'), cell: ({ after }: ChangedPart) => (after === null ? html`–` : part(after)) },
  ];
  return section('gone', say('report.gone.title'), [table(say('report.gone.examples'), columns, examples)]);
}
