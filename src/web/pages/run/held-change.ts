import { changeOfHeld, liveBeside } from '../../../jobs/rows/held-change.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { RowsDiff } from '../../../model.ts';
import { html, type Part } from '../../../wording/html.ts';
import { changeHeadline } from '../../../wording/managers/change-words.ts';
import { brandsTable } from '../../parts/brands.ts';
import { soon } from '../../soon.ts';
import type { Visit } from '../../visit.ts';

/** What approving a held run would change against the run that is live of its feed; null: nothing of the feed is. */
export type HeldChange = { live: string | null; diff: RowsDiff };

/** What approving a run would change now; null when it is not held, has no rows, or is not compared yet. */
export async function heldChange(run: RunRow, visit: Visit): Promise<HeldChange | null> {
  if (run.outcome !== 'held' || run.rows_sha === null) return null;
  const live = await liveBeside(run, visit.ctx);
  const diff = await soon(['held change', run.id, run.rows_sha, live], () => changeOfHeld(run, live, visit.ctx), visit);
  return diff === null ? null : { live, diff };
}

/** Brands of a page; the comparison has them all. */
const SHOWN_BRANDS = 10;

/** What approving a held run would change, by brand: the most changed first. */
export function heldChangeSection({ id }: RunRow, { live, diff }: HeldChange, { language }: Visit): Part {
  const { say } = language;
  const left = Math.max(0, diff.brands.length - SHOWN_BRANDS) + diff.moreBrands;
  const rows = `/compare?of=runs&a=${live}&b=${id}`;
  return html`<section aria-labelledby="would-title">
    <h2 id="would-title">${say('web.held.title')}</h2>
    <p class="note">
      ${live === null ? say('web.held.first') : html`${say('web.held.against')} <a href="/runs/${live}">${live}</a>`}
    </p>
    <p>${changeHeadline(diff, language)}</p>
    ${diff.brands.length > 0 && brandsTable(diff.brands.slice(0, SHOWN_BRANDS), language)}
    ${left > 0 && html`<p class="note">${say('report.change.moreBrands', { count: left })}</p>`}
    ${live !== null && html`<p><a href="${rows}">${say('web.held.rows')}</a></p>`}
  </section>`;
}
