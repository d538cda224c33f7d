import { html, type Html } from '../../wording/html.ts';
import type { Rejection, RunAnswer } from '../../model.ts';
import { rowWords } from '../../wording/files/place.ts';
import { grouped } from '../../wording/words.ts';
import { message, section, table, value } from './parts.ts';

/** Rejections that the page shows; the CSV has all. */
const SHOWN = 200;

/** The rows that the service rejected, with its own words. */
export function rejectionsSection({ rejections, rejectionsTotal }: RunAnswer): Html {
  if (rejectionsTotal === 0) return html``;
  const shown = rejections.slice(0, SHOWN);
  const columns = shown.some(({ code }) => code !== null) ? [LINE, PART, CODE, MESSAGE] : [LINE, PART, MESSAGE];
  const untraced = shown.some(({ match }) => match !== 'exact');
  return section('rejections', 'Rejected by the service', [
    table<Rejection>('Rows that the service rejected', columns, shown),
    untraced &&
      html`<p class="note">
        One of several: the rejection fits more than one row. Unknown: no row that was sent fits it, so it may concern
        another supplier of the login.
      </p>`,
    rejectionsTotal > shown.length &&
      html`<p class="note">and ${grouped(rejectionsTotal - shown.length)} more in the CSV.</p>`,
  ]);
}

const LINE = { head: 'Line', number: true, cell: (rejection: Rejection) => lineText(rejection) };
const PART = {
  head: 'Part',
  cell: ({ brand, oem }: Rejection) => html`${value(brand)} ${oem === null ? '' : value(oem)}`,
};
const CODE = { head: 'Code', cell: ({ code }: Rejection) => code ?? '—' };
const MESSAGE = { head: 'Service says', cell: (rejection: Rejection) => message(rejection.message) };

function lineText({ sheet, line, match, candidates = [], fits = 0 }: Rejection): string {
  if (line !== null) return rowWords({ sheet, line });
  if (match !== 'ambiguous') return 'unknown';
  if (candidates.length === 0) return 'several';
  const shown = candidates.slice(0, 3).map((place) => `${place.feed} ${rowWords(place)}`);
  return `one of ${fits}: ${shown.join(', ')}${fits > shown.length ? ', …' : ''}`;
}
