import type { FeedState } from '../../../jobs/standing/feed-state.ts';
import { findRun } from '../../../ledger/runs/runs.ts';
import { dialectOf } from '../../../wording/files/dialect.ts';
import { html, type Part } from '../../../wording/html.ts';
import { dialectFor } from '../../parts/reasons/read-as.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import { columnsTable } from '../../parts/columns-table.ts';
import type { Visit } from '../../visit.ts';

/** How the newest file of a feed was read: its dialect and columns, each with the evidence. */
export async function readingSection({ lastRun, live }: FeedState, visit: Visit): Promise<Part> {
  const { ctx, language } = visit;
  const { say } = language;
  // The last run may have found no file, or one that was not read again because it is live already.
  for (const id of [lastRun?.run, live?.run]) {
    const run = id === undefined ? undefined : await findRun(ctx.ledger.db, id);
    const detection = run?.detection ?? null;
    if (run === undefined || detection === null) continue;
    return html`<section>
      <h2>${say('web.feed.reading')}</h2>
      <p class="soft">${say('web.run.run')} <a href="/runs/${run.id}">${run.id}</a></p>
      <dl class="facts">
        <dt>${say('web.check.dialect')}</dt>
        <dd>${dialectFor(dialectOf(detection), language)}</dd>
        <dt>${say('web.check.evidence')}</dt>
        <dd>${detection.evidence.map((text) => html`${programsWords(text, language)}<br />`)}</dd>
      </dl>
      ${columnsTable(detection.mapping, language)}
    </section>`;
  }
  return null;
}
