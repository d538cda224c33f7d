import { OfferlineError } from '../../../errors.ts';
import { stageToRepeat } from '../../../jobs/decisions/failed-runs.ts';
import type { RerunFrom } from '../../../jobs/decisions/rerun-stages.ts';
import { listRuns } from '../../../jobs/standing/lists/runs.ts';
import { getRun } from '../../../ledger/runs/runs.ts';
import { html, type Part } from '../../../wording/html.ts';
import { decisionForm } from '../../parts/decision.ts';
import { doneAt } from '../../parts/done.ts';
import { table } from '../../parts/table.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';
import { runFilter } from './runs-page.ts';

/** More at a time would be more than anybody has looked at. */
const MOST = 500;

/** A run that would be run again, and from where. */
type Planned = { run: string; feed: string; from: RerunFrom };

/**
 * Runs again what the filter of the address shows: of each feed the newest run that has ended. The first time it only says which
 * these are; it is done when the same form is sent with that count.
 */
export async function rerunAll(visit: Visit): Promise<Answer> {
  const planned = await plan(visit);
  if (visit.form.get('confirm') !== 'yes') return show(planned, visit);
  if (String(planned.length) !== visit.form.get('count'))
    throw new OfferlineError(
      'conflict',
      `The list has changed: ${planned.length} runs would be run again now. Look at it once more.`,
    );
  const refused: Part[] = [];
  let isHeard = true;
  for (const [at, { run, feed, from }] of planned.entries()) {
    await visit
      .call('rerunRun', { run, from })
      .then(({ woken }) => (isHeard &&= woken))
      .catch((error: unknown) => {
        if (!(error instanceof OfferlineError)) throw error;
        // A ledger that is away is so for the rest, too; before the first nothing was done.
        if (error.code === 'ledger' && at === refused.length) throw error;
        refused.push(html`<li><a href="/runs/${run}">${feed}</a>: <bdi>${error.message}</bdi></li>`);
      });
  }
  if (refused.length === 0) return doneAt('/runs?outcome=open', 'rerun', isHeard);
  const { say } = visit.language;
  const body = html`<h1>${say('web.rerunAll.title')}</h1>
    <p class="reason held">${say('web.rerunAll.refused', { count: refused.length, of: planned.length })}</p>
    <ul class="steps">
      ${refused}
    </ul>
    <p><a href="/runs?outcome=open">${say('web.nav.runs')}</a></p>`;
  return { page: { title: say('web.rerunAll.title'), body, section: '/runs' } };
}

async function plan(visit: Visit): Promise<Planned[]> {
  const { ctx } = visit;
  const { rows, total } = await listRuns(runFilter(visit), { size: MOST }, ctx);
  if (total > MOST) throw new OfferlineError('usage', `The filter shows ${total} runs; narrow it to at most ${MOST}.`);
  const newest = new Map<string, string>();
  for (const { run, feed, outcome } of rows)
    if (outcome !== null && !newest.has(feed) && Object.hasOwn(ctx.config.feeds, feed)) newest.set(feed, run);
  const planned: Planned[] = [];
  for (const [feed, run] of newest) planned.push({ run, feed, from: stageToRepeat(await getRun(ctx.ledger.db, run)) });
  return planned;
}

function show(planned: Planned[], { language, url }: Visit): Answer {
  const { say } = language;
  const rows = planned.map(({ run, feed, from }): Part[] => [
    html`<a href="/runs/${run}">${run}</a>`,
    feed,
    say(`web.rerun.from.${from}`),
  ]);
  const columns = [{ title: say('web.run.run') }, { title: say('web.part.feed') }, { title: say('web.rerun.from') }];
  const form = decisionForm(
    {
      title: say('web.rerunAll.title'),
      says: [say('web.rerunAll.planned', { count: planned.length })],
      twice: { risk: false, text: say('web.twice.rerun') },
      action: `/runs/rerun?${url.searchParams.toString()}`,
      fields: html`<input type="hidden" name="count" value="${planned.length}" />`,
      reason: false,
      button: say('web.rerunAll.title'),
      confirm: say('web.rerunAll.confirm', { count: planned.length }),
    },
    language,
  );
  const body = html`<h1>${say('web.rerunAll.title')}</h1>
    ${planned.length === 0 ? html`<p>${say('web.rerunAll.none')}</p>` : [table(say('web.rerunAll.title'), columns, rows), html`<h2>${say('web.decide.title')}</h2>`, form]}
    <p><a href="/runs?${url.searchParams.toString()}">${say('web.nav.runs')}</a></p>`;
  return { page: { title: say('web.rerunAll.title'), body, section: '/runs' } };
}
