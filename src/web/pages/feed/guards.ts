import type { GuardState } from '../../../jobs/standing/feed/guards.ts';
import { html, type Part } from '../../../wording/html.ts';
import { table } from '../../parts/table.ts';
import type { Visit } from '../../visit.ts';
import { guardsFor } from '../standing.ts';

/** Each guard of a feed, and how near its last accepted delivery came to it. */
export async function guardsSection(feed: string, visit: Visit): Promise<Part> {
  const { language } = visit;
  const { say } = language;
  const { guards, run } = await guardsFor(feed, visit);
  const columns = [
    { title: say('web.guard.guard') },
    { title: say('web.guard.limit'), number: true as const },
    { title: say('web.guard.measured'), number: true as const },
    { title: say('web.guard.used') },
    { title: say('web.guard.holds') },
    { title: say('web.feed.from') },
  ];
  return html`<section>
    <h2>${say('web.guard.title')}</h2>
    ${table(
      say('web.guard.title'),
      columns,
      guards.map((guard) => guardCells(guard, visit)),
    )}
    ${run !== null && html`<p class="note">${say('web.guard.of')} <a href="/runs/${run}">${run}</a></p>`}
  </section>`;
}

function guardCells({ guard, limit, measured, used, holds, from }: GuardState, { language }: Visit): Part[] {
  const { say, number, percent } = language;
  const shown = (value: number | null) => (value === null ? '–' : guard === 'minRows' ? number(value) : percent(value));
  const share = used === null ? null : Math.min(1, Math.max(0, used));
  return [
    html`<code>${guard}</code>`,
    limit === null ? say('web.guard.off') : shown(limit),
    shown(measured),
    share !== null &&
      html`<meter
          class="meter"
          min="0"
          max="1"
          high="0.8"
          value="${share.toFixed(2)}"
          aria-label="${say('web.guard.used')}"
        ></meter>
        ${percent(share)}`,
    holds !== null &&
      ('below' in holds
        ? say('web.guard.below', { rows: holds.below })
        : say('web.guard.above', { rows: holds.above })),
    from !== null && say(`web.guard.from.${from}`),
  ];
}
