import { listRuns, type RunLine } from '../../../jobs/standing/lists/runs.ts';
import { OUTCOMES } from '../../../jobs/standing/tone.ts';
import type { RunFilter } from '../../../ledger/lists/runs-page.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { outcomeWord } from '../../../wording/managers/run-words.ts';
import { decisionForm } from '../../parts/decision.ts';
import { doneNotice } from '../../parts/done.ts';
import { filterForm, filterPeriod, filterValue, periodFields } from '../../parts/filter.ts';
import { moment } from '../../parts/moment.ts';
import { outcomeBadge } from '../../parts/outcome.ts';
import { pager, placeIn } from '../../parts/pager.ts';
import { progressBar } from '../../parts/progress.ts';
import { runReason } from '../../parts/reasons/said.ts';
import { table } from '../../parts/table.ts';
import { MAY, type Answer } from '../../route.ts';
import { mayDo, sees, type Visit } from '../../visit.ts';

/** Runs, the newest first, with filters in the address. */
export async function runsPage(visit: Visit): Promise<Answer> {
  const { ctx, world, language, url, cell, visitor } = visit;
  const { say } = language;
  const [filter, place] = [runFilter(visit), placeIn(url)];
  const key = JSON.stringify(['runs', filter, place]);
  const found = await world.memo.get(key, { until: 'change', age: 2000 }, () => listRuns(filter, place, ctx));
  const list = cell('runs', html`${runsTable(found.rows, visit)} ${pager(found, url, language)}`, 'div');
  if (visit.onlyCells) return { page: { title: say('web.nav.runs'), body: list } };
  const feeds = Object.keys(ctx.config.feeds).filter((feed) => sees(feed, visit));
  const logins = new Set(feeds.map((feed) => ctx.config.feeds[feed]!.login));
  const outcomes = [
    ...OUTCOMES.map((value) => ({ value, label: outcomeWord(value, language) })),
    { value: 'open', label: say('web.runs.open') },
  ];
  const options = (values: string[]) => values.map((value) => ({ value, label: value }));
  const body = html`
    ${doneNotice(url, language)}
    <h1>${say('web.nav.runs')}</h1>
    ${filterForm(
      url,
      [
        { name: 'feed', label: say('web.part.feed'), options: options(feeds) },
        {
          name: 'login',
          label: say('web.now.login'),
          options: options(visitor.feeds === null ? Object.keys(ctx.config.logins) : [...logins]),
        },
        { name: 'outcome', label: say('web.runs.outcome'), options: outcomes },
        ...periodFields(language),
        { name: 'text', label: say('web.runs.text'), type: 'search' },
      ],
      language,
    )}
    ${list} ${rerunAll(visit)}
  `;
  return { page: { title: say('web.nav.runs'), body, section: '/runs' } };
}

/** The filter that an address asks for, within the feeds that its visitor sees. */
export function runFilter(visit: Visit): RunFilter {
  const { url, visitor } = visit;
  const outcome = filterValue(url, 'outcome');
  const known = OUTCOMES.find((one) => one === outcome);
  return {
    feeds: visitor.feeds,
    feed: filterValue(url, 'feed'),
    login: filterValue(url, 'login'),
    outcomes: known === undefined ? undefined : [known],
    open: outcome === 'open' ? true : undefined,
    ...filterPeriod(visit),
    text: filterValue(url, 'text'),
  };
}

function runsTable(runs: RunLine[], { world: { gauges }, language }: Visit): Html {
  const { say, number } = language;
  const columns = [
    { title: say('web.run.run') },
    { title: say('web.part.feed') },
    { title: say('web.runs.outcome') },
    { title: say('web.runs.began') },
    { title: say('web.source.file') },
    { title: say('web.account.read'), number: true as const },
    { title: say('web.account.live'), number: true as const },
    { title: say('web.part.why') },
  ];
  const rows = runs.map(({ run, feed, outcome, stage, createdAt, delivery, counts, rows: account, end }): Part[] => {
    const progress = outcome === null ? gauges.progress(run) : null;
    return [
      html`<a href="/runs/${run}">${run}</a>`,
      html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a>`,
      html`${outcomeBadge(outcome, language)}
      ${outcome === null && (progress === null ? say(`web.run.stage.${stage}`) : progressBar(progress, language))}`,
      moment(createdAt, language),
      html`<bdi>${delivery}</bdi>`,
      counts === null ? '' : number(counts.read),
      account === null ? '' : number(account.live),
      runReason(end, language, LONGEST),
    ];
  });
  return table(say('web.nav.runs'), columns, rows);
}

/** A list shows what it is about; the run's own page has all of it. */
const LONGEST = 160;

/** Everything that the filter shows run again: first it is said how many that are. */
function rerunAll(visit: Visit): Part {
  if (!mayDo(MAY.operate, visit)) return null;
  const { url, language } = visit;
  const { say } = language;
  return html`<section id="decide">
    <h2>${say('web.decide.title')}</h2>
    ${decisionForm(
      {
        title: say('web.rerunAll.title'),
        says: [say('web.rerunAll.says')],
        twice: { risk: false, text: say('web.twice.rerun') },
        action: `/runs/rerun?${url.searchParams.toString()}`,
        reason: false,
        button: say('web.rerunAll.count'),
      },
      language,
    )}
  </section>`;
}
