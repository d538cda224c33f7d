import { basename } from 'node:path';
import { effectiveSettings } from '../../../config/show/effective.ts';
import { showPath } from '../../../config/read/path.ts';
import { supplierName } from '../../../config/supplier.ts';
import { OfferlineError } from '../../../errors.ts';
import { shownAcceptances } from '../../../jobs/queries/shown-acceptances.ts';
import { feedStates, type FeedState } from '../../../jobs/standing/feed-state.ts';
import { recentDeliveries } from '../../../ledger/runs/deliveries.ts';
import { html, prose, type Html, type Part } from '../../../wording/html.ts';
import { decisionForm } from '../../parts/decision.ts';
import { lineChart } from '../../parts/line-chart.ts';
import { moment } from '../../parts/moment.ts';
import { outcomeBadge } from '../../parts/outcome.ts';
import { progressBar } from '../../parts/progress.ts';
import { table } from '../../parts/table.ts';
import { MAY, type Answer } from '../../route.ts';
import { assertSees, type Visit } from '../../visit.ts';
import { standstillForms } from '../standstill.ts';
import { deliveryStrip } from './strip.ts';

/** So many deliveries the strip shows, and the curve at most. */
const STRIP = 30;
const CURVE = 200;

/** One supplier's feed: what is live of it and was, how it delivers, how it is read, and what can be decided about it. */
export async function feedPage(visit: Visit): Promise<Answer> {
  const { ctx, params, language, cell } = visit;
  const feed = params['feed'] ?? '';
  assertSees(feed, visit, `feed ${feed}`);
  const state = (await feedStates(ctx)).find((one) => one.feed === feed);
  if (state === undefined) throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
  const head = cell('standing', standing(state, visit), 'div');
  if (visit.onlyCells) return { page: { title: feed, body: head } };
  const deliveries = await recentDeliveries(ctx.ledger.db, feed, CURVE);
  const points = deliveries.flatMap(({ at, rows }) => (rows === null ? [] : [{ at, value: rows }]));
  const chart = lineChart(points, language.say('web.feed.curve', { count: points.at(-1)?.value ?? 0 }));
  const body = html`
    <p class="soft">
      ${language.say('web.now.login')} <a href="/logins/${encodeURIComponent(state.login)}">${state.login}</a>
    </p>
    <h1><bdi>${supplierName(ctx.config, feed)}</bdi> <span class="soft">${feed}</span></h1>
    ${head}
    ${
      chart !== null &&
      html`<figure class="chart">
        ${chart}
        <figcaption>${language.say('web.feed.liveOverTime')}</figcaption>
      </figure>`
    }
    ${deliveryStrip(deliveries.slice(-STRIP), language)}
    <p><a href="/runs?feed=${encodeURIComponent(feed)}">${language.say('web.feed.allRuns')}</a></p>
    <div class="grid">${schedule(state, visit)} ${source(feed, visit)}</div>
    ${incidents(state, visit)} ${columns(state, visit)} ${decisions(state, visit)} ${await settings(feed, visit)}
  `;
  return { page: { title: feed, body, section: '/' } };
}

function standing(
  { now, live, lastRun, frozen, paused, standstill }: FeedState,
  { world: { gauges }, language }: Visit,
): Html {
  const { say, number } = language;
  const progress = lastRun === null ? null : gauges.progress(lastRun.run);
  return html`<dl class="facts">
    <dt>${say('web.feed.live')}</dt>
    <dd>
      ${now.doubt === null ? html`<b>${number(now.live ?? 0)}</b>` : html`<span class="say bad">${now.doubt}</span>`}
      ${live !== null && html`<span class="soft">${say('web.now.since')}</span> ${moment(live.since, language)}`}
    </dd>
    <dt>${say('web.feed.last')}</dt>
    <dd>
      ${
        lastRun === null
          ? say('web.feed.never')
          : html`<a href="/runs/${lastRun.run}">${lastRun.run}</a> ${outcomeBadge(lastRun.outcome, language)}
              ${moment(lastRun.createdAt, language)}`
      }
      ${progress !== null && progressBar(progress, language)}
    </dd>
    ${
      standstill !== null &&
      html`<dt>${say('web.feed.standstill')}</dt>
        <dd class="say bad"><bdi>${standstill.last.reason}</bdi></dd>`
    }
    ${frozen !== null && stopped('web.feed.frozen', frozen, language)}
    ${paused !== null && stopped('web.feed.paused', paused, language)}
  </dl>`;
}

function stopped(
  key: 'web.feed.frozen' | 'web.feed.paused',
  { since, who, reason }: { since: number; who: string; reason: string },
  language: Visit['language'],
): Html {
  return html`<dt>${language.say(key)}</dt>
    <dd class="say waiting">${moment(since, language)}, ${who}: <bdi>${reason}</bdi></dd>`;
}

function schedule({ feed, schedule: at, nextDue }: FeedState, { ctx, language }: Visit): Html {
  const { say } = language;
  const { expectEvery, expires } = ctx.config.feeds[feed]!;
  return html`<section>
    <h2>${say('web.feed.schedule')}</h2>
    <dl class="facts">
      <dt>${say('web.feed.cron')}</dt>
      <dd>${at === null ? say('web.feed.noSchedule') : html`<code>${at.cron}</code> ${at.timezone}`}</dd>
      <dt>${say('web.feed.next')}</dt>
      <dd>${moment(nextDue, language)}</dd>
      ${
        expectEvery !== undefined &&
        html`<dt>${say('web.feed.expected')}</dt>
          <dd>${language.span(expectEvery)}</dd>`
      }
      ${
        expires !== undefined &&
        html`<dt>${say('web.feed.expires')}</dt>
          <dd>${language.span(expires)}</dd>`
      }
    </dl>
  </section>`;
}

function source(feed: string, { ctx, language: { say }, visitor }: Visit): Html {
  const { type, pattern } = ctx.config.feeds[feed]!.source;
  return html`<section>
    <h2>${say('web.feed.source')}</h2>
    <dl class="facts">
      <dt>${say('web.feed.kind')}</dt>
      <dd>${type}</dd>
      ${
        pattern !== undefined &&
        html`<dt>${say('web.feed.pattern')}</dt>
          <dd><code>${pattern}</code></dd>`
      }
    </dl>
    ${visitor.signedIn && visitor.role !== 'viewer' && html`<form method="post" action="/feeds/${encodeURIComponent(feed)}/source"><button>${say('web.feed.look')}</button></form>`}
  </section>`;
}

function incidents({ incidents: open }: FeedState, { language }: Visit): Part {
  if (open.length === 0) return null;
  return html`<section>
    <h2>${language.say('web.nav.incidents')}</h2>
    <ul class="steps">
      ${open.map(({ incident, text, since }) => html`<li><a href="/incidents/${incident}">${moment(since, language)}</a> ${prose(text)}</li>`)}
    </ul>
  </section>`;
}

function columns({ acceptedColumns }: FeedState, { language }: Visit): Part {
  if (acceptedColumns.length === 0) return null;
  const { say } = language;
  const rows = acceptedColumns.map(({ columns: taken, header, who, since, reason, run }): Part[] => [
    taken.map(({ key, column, position }) => html`${key}: <bdi>${column ?? position}</bdi><br />`),
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
  </section>`;
}

function decisions({ feed, paused, frozen }: FeedState, visit: Visit): Part {
  const { visitor, language } = visit;
  const { say } = language;
  if (!visitor.signedIn || !MAY.operate.includes(visitor.role)) return null;
  const run = decisionForm(
    {
      title: say('web.ingest.title'),
      says: [say('web.ingest.says', { feed })],
      twice: { risk: false, text: say('web.twice.reread') },
      action: `/feeds/${encodeURIComponent(feed)}/run`,
      reason: false,
      button: say('web.ingest.title'),
    },
    language,
  );
  return html`<section id="decide">
    <h2>${say('web.decide.title')}</h2>
    ${standstillForms({ kind: 'feed', name: feed, paused: paused?.kind === 'feed', frozen: frozen !== null }, visit)}
    ${run}
  </section>`;
}

async function settings(feed: string, { ctx, world, language }: Visit): Promise<Html> {
  const { say } = language;
  const accepted = await shownAcceptances(feed, ctx);
  const all = effectiveSettings(feed, accepted, { ...world.loaded, file: basename(world.loaded.file) });
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
