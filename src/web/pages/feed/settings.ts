import { basename } from 'node:path';
import { showPath } from '../../../config/read/path.ts';
import { effectiveSettings } from '../../../config/show/effective.ts';
import { shownAcceptances } from '../../../jobs/queries/shown-acceptances.ts';
import type { FeedState } from '../../../jobs/standing/feed-state.ts';
import { HEADINGS } from '../../../wording/columns/accepted-column.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { decisionForm } from '../../parts/decision.ts';
import { moment } from '../../parts/moment.ts';
import { table } from '../../parts/table.ts';
import { MAY } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';

/** Columns that people took for headers of this feed, with the form to take each back for those who may. */
export function acceptedColumns({ feed, acceptedColumns: accepted }: FeedState, visit: Visit): Part {
  if (accepted.length === 0) return null;
  const { language } = visit;
  const { say } = language;
  const forms = accepted.map(({ run, header }) =>
    decisionForm(
      {
        title: say('web.revoke.title'),
        says: [say('web.revoke.says', { feed, header: header.join(' | ') })],
        twice: { risk: false, text: say('web.twice.later') },
        action: `/runs/${run}/revoke-columns`,
        reason: true,
        button: say('web.revoke.title'),
      },
      language,
    ),
  );
  const rows = accepted.map(({ columns: taken, header, who, since, reason, run }): Part[] => [
    taken.map(
      ({ key, column, position }) =>
        html`${key}: <bdi>${position === HEADINGS ? say('columns.above') : (column ?? position)}</bdi><br />`,
    ),
    html`<bdi>${header.join(' | ')}</bdi>`,
    html`${who}, ${moment(since, language)}: <bdi>${reason}</bdi>`,
    html`<a href="/runs/${run}">${run}</a>`,
  ]);
  const titles = ['web.feed.columns', 'web.feed.header', 'web.feed.taken', 'web.run.run'] as const;
  return html`<section>
    <h2>${say('web.feed.columns')}</h2>
    ${table(
      say('web.feed.columns'),
      titles.map((key) => ({ title: say(key) })),
      rows,
    )}
    ${mayDo(MAY.decide, visit) && forms}
  </section>`;
}

const HOUR = 3_600_000;

/** The settings that are in effect for a feed, and where each comes from. */
export async function settingsSection(feed: string, { ctx, world, language }: Visit): Promise<Html> {
  const { say } = language;
  const accepted = await shownAcceptances(feed, ctx);
  const source = { ...world.loaded, file: basename(world.loaded.file) };
  const all = await world.memo.get(`settings ${feed}`, { until: 'change', age: HOUR }, async () =>
    effectiveSettings(feed, accepted, source),
  );
  const rows = all.map(({ path, value, from }): Part[] => [
    html`<code>${showPath(path)}</code>`,
    html`<code>${JSON.stringify(value) ?? ''}</code>`,
    from,
  ]);
  return html`<details>
    <summary><h2>${say('web.feed.settings')}</h2></summary>
    <div>
      ${table(say('web.feed.settings'), [{ title: say('web.feed.setting') }, { title: say('web.feed.value') }, { title: say('web.feed.from') }], rows)}
    </div>
  </details>`;
}
