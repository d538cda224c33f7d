import { saidHtml } from '../../../wording/ops/said.ts';
import { supplierName } from '../../../config/supplier.ts';
import { OfferlineError } from '../../../errors.ts';
import { lastLook } from '../../../ledger/uploads/findability.ts';
import { findabilityAnswer } from '../../../jobs/findability/answer.ts';
import { foundText } from '../../../wording/managers/now-words.ts';
import { findRun } from '../../../ledger/runs/runs.ts';
import { doubtAbout } from '../../../jobs/logins/live-facts.ts';
import { doubtSays } from '../../../jobs/standing/doubt-says.ts';
import type { FeedState } from '../../../jobs/standing/feed-state.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { workSentences } from '../../../wording/managers/work-words.ts';
import { decisionForm } from '../../parts/decision.ts';
import { doneNotice } from '../../parts/done.ts';
import { incidentOfFeed } from '../../parts/reasons/incident.ts';
import { readsOps, runReason } from '../../parts/reasons/said.ts';
import { endOfRun } from '../../../wording/ops/run-said.ts';
import { lineChart } from '../../parts/line-chart.ts';
import { moment } from '../../parts/moment.ts';
import { outcomeBadge } from '../../parts/outcome.ts';
import { progressBar } from '../../parts/progress.ts';
import { stopped } from '../../parts/stopped.ts';
import { deliveryStrip } from '../../parts/strip.ts';
import { namedFeed } from '../../named.ts';
import { MAY, type Answer } from '../../route.ts';
import { proposalsFor, SCORED_DAYS, scorecardOver } from '../../shared-answers.ts';
import { mayDo, type Visit } from '../../visit.ts';
import { scoreTable } from '../score-table.ts';
import { feedsFor, historyFor, incidentsFor } from '../standing.ts';
import { standstillForms } from '../standstill.ts';
import { awayForms, scheduleSection } from './expected.ts';
import { guardsSection } from './guards.ts';
import { readingSection } from './reading.ts';
import { acceptedColumns, settingsSection } from './settings.ts';
import { supplierPageSection } from './supplier-page.ts';

/** One supplier's feed: what is live of it and was, how it delivers, how it is read, and what can be decided about it. */
export async function feedPage(visit: Visit): Promise<Answer> {
  const { ctx, language, url, cell } = visit;
  const feed = namedFeed(visit);
  const state = (await feedsFor(visit, [feed])).find((one) => one.feed === feed);
  if (state === undefined) throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
  const head = cell('standing', await standing(state, visit), 'div');
  if (visit.onlyCells) return { page: { title: feed, body: head } };
  const { strip, points: live } = await historyFor(feed, visit);
  const points = live.map(({ at, live: value }) => ({ at, value }));
  const chart = lineChart(points, language.say('web.feed.curve', { count: points.at(-1)?.value ?? 0 }));
  const supplier = supplierName(ctx.config, feed);
  const body = html`
    <p class="soft">
      ${language.say('web.now.login')}
      ${MAY.seeAll.includes(visit.visitor.role) ? html`<a href="/logins/${encodeURIComponent(state.login)}">${state.login}</a>` : state.login}
    </p>
    <h1><bdi>${supplier}</bdi>${supplier !== feed && html` <span class="soft">${feed}</span>`}</h1>
    ${doneNotice(url, language)} ${head}
    ${
      chart !== null &&
      html`<figure class="chart">
        ${chart}
        <figcaption>
          ${language.say('web.feed.liveOverTime')}: ${moment(points[0]?.at ?? null, language)} –
          ${moment(points.at(-1)?.at ?? null, language)}, 0 –
          ${language.number(Math.max(...points.map(({ value }) => value)))}
        </figcaption>
      </figure>`
    }
    ${deliveryStrip(strip, language)}
    <p><a href="/runs?feed=${encodeURIComponent(feed)}">${language.say('web.feed.allRuns')}</a></p>
    <div class="grid">${await scheduleSection(state, visit)} ${source(feed, visit)}</div>
    ${await guardsSection(feed, visit)} ${await incidents(feed, visit)} ${await searched(state, visit)}
    ${await proposed(state, visit)} ${await readingSection(state, visit)} ${acceptedColumns(state, visit)}
    ${await scores(feed, visit)} ${await supplierPageSection(feed, visit)} ${await decisions(state, visit)}
    <p><a href="/feeds/${encodeURIComponent(feed)}/rules">${language.say('web.trial.link')}</a></p>
    ${await settingsSection(feed, visit)}
  `;
  return { page: { title: feed, body, section: '/' } };
}

async function standing(state: FeedState, visit: Visit): Promise<Html> {
  const { now, live, lastRun, frozen, pauses, login, standstill } = state;
  const { gauges } = visit.world;
  const { language } = visit;
  const { say, number } = language;
  const progress = lastRun === null ? null : gauges.progress(lastRun.run);
  return html`<dl class="facts">
    <dt>${say('web.feed.live')}</dt>
    <dd>
      ${now.doubt === null ? html`<b>${number(now.live ?? 0)}</b>` : html`<span class="say bad">${await doubt(state, visit)}</span>`}
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
        <dd class="say bad">${await lastReason(standstill.last.id, visit)}</dd>`
    }
    ${frozen !== null && stopped('web.feed.frozen', frozen, language)}
    ${pauses.map((pause) =>
      pause.kind === 'feed'
        ? stopped('web.feed.paused', pause, language)
        : stopped('web.feed.pausedLogin', pause, language, mayDo(MAY.operate, visit) && resumeLogin(login, language)),
    )}
  </dl>`;
}

/** Why it is not certain what is live of it. */
async function doubt({ feed, login, now }: FeedState, { ctx, language }: Visit): Promise<Part> {
  if (readsOps(language)) return now.doubt;
  const known = await doubtAbout(login, ctx.ledger.db);
  // All else is certain of the login, but not how many of its rows are this feed's.
  if (known === null) return language.say('ops.doubt.account', { feed, upload: now.proved?.upload ?? '' });
  const { text, quoted = null } = doubtSays(known, language);
  return saidHtml({ text, quoted });
}

async function lastReason(id: string, { ctx, language }: Visit): Promise<Part> {
  const run = await findRun(ctx.ledger.db, id);
  return run === undefined ? null : runReason(endOfRun(run), language);
}

/** Where the pause of a login ends, which is not the feed's. */
function resumeLogin(login: string, { say }: Language): Html {
  return html`<a class="next" href="/logins/${encodeURIComponent(login)}#decide">${say('web.action.resume')}</a>`;
}

function source(feed: string, visit: Visit): Html {
  const { say } = visit.language;
  const { type, pattern } = visit.ctx.config.feeds[feed]!.source;
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
    ${mayDo(MAY.decide, visit) && html`<form method="post" action="/feeds/${encodeURIComponent(feed)}/source"><button>${say('web.feed.look')}</button></form>`}
  </section>`;
}

/** The supplier's scorecard; its rank is one among all suppliers. */
async function scores(feed: string, visit: Visit): Promise<Html> {
  const { language } = visit;
  const { say } = language;
  const { scores: all } = await scorecardOver(SCORED_DAYS, visit);
  return html`<section>
    <h2>${say('web.feed.scorecard', { days: SCORED_DAYS })}</h2>
    ${scoreTable(
      all.filter((score) => score.feed === feed),
      language,
    )}
    <p><a href="/suppliers">${say('web.nav.suppliers')}</a></p>
  </section>`;
}

/** What the search answered when it was asked last for a sample of what the feed has live. */
async function searched({ login, feed }: FeedState, { ctx, language }: Visit): Promise<Part> {
  const look = await lastLook(ctx.ledger.db, { login, feed });
  if (look === null || look.answers.length === 0) return null;
  const answer = findabilityAnswer(look);
  const { say } = language;
  return html`<section>
    <h2>${say('now.search')}</h2>
    <p>${foundText(answer, language)}.</p>
    ${
      answer.otherBrands.length > 0 &&
      html`<ul>
        ${answer.otherBrands.map(
          ({ brand, knownAs, parts, examples }) =>
            html`<li>${say('web.feed.knownAs', { count: parts, brand, knownAs, examples: examples.join(', ') })}</li>`,
        )}
      </ul>`
    }
    <p class="soft"><a href="/docs?q=findability">${say('web.why')}</a></p>
  </section>`;
}

/** What would have more of the feed's rows accepted or found; who works on the machine takes it there. */
async function proposed({ feed }: FeedState, visit: Visit): Promise<Part> {
  const { language } = visit;
  const { say } = language;
  const proposals = await proposalsFor(feed, visit);
  if (proposals.length === 0) return null;
  return html`<section>
    <h2>${say('web.proposal.title')}</h2>
    <ol>
      ${proposals.map(
        ({ kind, facts, rows, deliveries, examples }) =>
          html`<li>
            ${say(`web.proposal.${kind}`, { brand: '', knownAs: '', prefix: '', ...facts })}
            <span class="soft">${say('web.proposal.evidence', { rows, deliveries })}</span>
            <div class="soft"><bdi>${examples.join(', ')}</bdi></div>
          </li>`,
      )}
    </ol>
    ${mayDo(MAY.operate, visit) && html`<p><code>offerline propose ${feed} --take 1 --reason "…"</code></p>`}
    <p class="soft"><a href="/docs?q=propose">${say('web.why')}</a></p>
  </section>`;
}

async function incidents(feed: string, visit: Visit): Promise<Part> {
  const { language } = visit;
  const open = await incidentsFor({ feed }, visit);
  if (open.length === 0) return null;
  return html`<section>
    <h2>${language.say('web.nav.incidents')}</h2>
    <ul class="steps">
      ${open.map(({ row, facts, work }) => html`<li><a href="/incidents/${row.id}">${moment(row.opened_at, language)}</a> ${incidentOfFeed(facts, language)} <span class="soft">${workSentences(work, language).join(' ')}</span></li>`)}
    </ul>
  </section>`;
}

async function decisions({ feed, pauses, frozen }: FeedState, visit: Visit): Promise<Part> {
  const { language } = visit;
  const { say } = language;
  if (!mayDo(MAY.operate, visit)) {
    if (pauses.length === 0 && frozen === null) return null;
    return html`<section id="decide">
      <h2>${say('web.decide.title')}</h2>
      <p class="soft">${say('web.standstill.notYou')}</p>
    </section>`;
  }
  const paused = pauses.some(({ kind }) => kind === 'feed');
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
    ${standstillForms({ kind: 'feed', name: feed, paused, denied: false, frozen: frozen !== null }, visit)}
    ${pauses.length === 0 && run} ${await awayForms(feed, visit)}
  </section>`;
}
