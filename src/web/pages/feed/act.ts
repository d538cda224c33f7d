import type { Answer } from '../../route.ts';
import { namedFeed } from '../../named.ts';
import { runProgram } from '../../program.ts';
import { html, type Part } from '../../../wording/html.ts';
import { doneAt } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { table } from '../../parts/table.ts';
import type { Visit } from '../../visit.ts';

/** Runs a feed now; leads to its run. */
export async function runFeed(visit: Visit): Promise<Answer> {
  const { run, woken } = await visit.call('ingest', { feed: namedFeed(visit) });
  return doneAt(`/runs/${run}`, 'run', woken);
}

/** What `offerline pull FEED --list --json` says of a file. */
type Listed = { name: string; size: number | null; modifiedAt: number | null; decision: string; why: string };

/** What the place of a feed holds now, and what of it would be taken. */
export async function lookAtSource(visit: Visit): Promise<Answer> {
  const { world, request, language } = visit;
  const { say } = language;
  const feed = namedFeed(visit);
  const { place, files } = (await runProgram(['pull', feed, '--list'], world.loaded, request.signal)) as {
    place: string;
    files: Listed[];
  };
  const shown = files.slice(0, 200);
  const rows = shown.map(({ name, size, modifiedAt, decision, why }): Part[] => [
    html`<bdi>${name}</bdi>`,
    size === null ? '' : language.number(size),
    moment(modifiedAt, language),
    html`<b>${decision}</b> ${why}`,
  ]);
  const columns = [
    { title: say('web.source.file') },
    { title: say('web.source.bytes'), number: true as const },
    { title: say('web.source.changed') },
    { title: say('web.source.decision') },
  ];
  const body = html`
    <h1>${say('web.source.title', { feed })}</h1>
    <p><bdi>${place}</bdi></p>
    ${rows.length === 0 ? html`<p>${say('web.source.empty')}</p>` : table(say('web.source.title', { feed }), columns, rows)}
    ${files.length > shown.length && html`<p class="note">${say('web.source.more', { count: files.length - shown.length })}</p>`}
    <p><a href="/feeds/${encodeURIComponent(feed)}">${feed}</a></p>
  `;
  return { page: { title: say('web.source.title', { feed }), body, section: '/' } };
}
