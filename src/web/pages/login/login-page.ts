import { OfferlineError } from '../../../errors.ts';
import type { RollbackTarget } from '../../../jobs/decisions/rollback-targets.ts';
import { doubtAbout } from '../../../jobs/logins/live-facts.ts';
import { doubtSays } from '../../../jobs/standing/doubt-says.ts';
import { foremost } from '../../../jobs/standing/incident-answer.ts';
import { notesApart, type LoginState } from '../../../jobs/standing/login-state.ts';
import { html, prose, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { sayWith } from '../../../wording/ops/kept-said.ts';
import { saidHtml, type Said } from '../../../wording/ops/said.ts';
import { workSentences } from '../../../wording/managers/work-words.ts';
import { decisionForm } from '../../parts/decision.ts';
import { decidedAt, doneNotice } from '../../parts/done.ts';
import { sayIncident } from '../../parts/reasons/incident.ts';
import { programsWords, readsOps } from '../../parts/reasons/said.ts';
import { moment } from '../../parts/moment.ts';
import { numberedPager } from '../../parts/pager.ts';
import { progressBar } from '../../parts/progress.ts';
import { stopped } from '../../parts/stopped.ts';
import { table } from '../../parts/table.ts';
import { MAY, type Answer } from '../../route.ts';
import type { Progress } from '../../thread/gauges.ts';
import { mayDo, tokenOf, type Visit } from '../../visit.ts';
import { loginProgress } from '../login-progress.ts';
import { secondForms, secondOfLogin, waitingNotice, type Second } from '../requests.ts';
import { incidentsFor, loginsFor, targetsFor } from '../standing.ts';
import { standstillForms } from '../standstill.ts';

/** One login: its live dataset, the open upload, earlier good datasets, and what can be decided about it. */
export async function loginPage(visit: Visit): Promise<Answer> {
  const { params, cell, language, url } = visit;
  const login = params['login'] ?? '';
  const state = (await loginsFor(visit)).find((one) => one.login === login);
  if (state === undefined) throw new OfferlineError('not-found', `There is no login ${login} in the configuration.`);
  const progress = state.open === null ? null : await loginProgress(login, visit);
  const head = cell('standing', html`${await standing(state, progress, visit)} ${await notes(state, visit)}`, 'div');
  if (visit.onlyCells) return { page: { title: login, body: head } };
  const place = { page: pageIn(url), size: DATASETS };
  const { targets, total } = await targetsFor(login, place, visit);
  const second = await secondOfLogin(login, visit);
  const body = html`
    <h1>${language.say('web.now.login')} ${login}</h1>
    ${doneNotice(url, language)} ${head}
    <p><a href="/uploads?login=${encodeURIComponent(login)}">${language.say('web.login.uploads')}</a></p>
    ${datasets(targets, numberedPager({ ...place, total }, url, language), visit)}
    ${decisions(state, { targets, second }, visit)}
  `;
  return { page: { title: login, body, section: '/' } };
}

/** Datasets of a page of their list. */
const DATASETS = 30;

function pageIn(url: URL): number {
  const page = Number(url.searchParams.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 && page < 1_000_000 ? page : 1;
}

async function standing(state: LoginState, progress: Progress | null, visit: Visit): Promise<Html> {
  const { live, doubt, open, waiting, paused, frozen } = state;
  const { language } = visit;
  const { say, number } = language;
  return html`<dl class="facts">
    <dt>${say('web.feed.live')}</dt>
    <dd>
      ${live === null ? say('web.login.nothing') : html`<b>${number(live.rows)}</b> ${say('web.login.upload')} <code>${live.offerId}</code> ${moment(live.since, language)}`}
      ${doubt !== null && html`<br /><span class="say bad">${await doubtText(state, visit)}</span>`}
    </dd>
    ${
      live !== null &&
      html`<dt>${say('web.login.feeds')}</dt>
        <dd>${live.feeds.map((feed) => html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a> `)}</dd>`
    }
    ${
      open !== null &&
      html`<dt>${say('web.login.open')}</dt>
        <dd>
          <a href="/uploads/${open.upload}">${open.offerId ?? open.upload}</a> ${open.state}
          ${moment(open.since, language)} ${progress !== null && progressBar(progress, language)}
          ${open.note !== null && html`<br /><span class="soft">${programsWords(open.note, language)}</span>`}
        </dd>`
    }
    ${
      waiting.length > 0 &&
      html`<dt>${say('web.login.waiting')}</dt>
        <dd>${waiting.join(', ')}</dd>`
    }
    ${paused !== null && stopped('web.feed.paused', paused, language)}
    ${
      frozen.length > 0 &&
      html`<dt>${say('web.feed.frozen')}</dt>
        <dd class="say waiting">
          ${frozen.map((feed) => html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a> `)}
        </dd>`
    }
  </dl>`;
}

/** Why it is not certain what is live. */
async function doubtText({ login, doubt }: LoginState, { ctx, language }: Visit): Promise<Part> {
  const known = readsOps(language) ? null : await doubtAbout(login, ctx.ledger.db);
  if (known === null) return doubt;
  const { text, quoted = null } = doubtSays(known, language);
  return saidHtml({ text, quoted });
}

/** What people have to know: its foremost incident, which leads to what to do, and what no incident says. */
async function notes(state: LoginState, visit: Visit): Promise<Part> {
  const { login } = state;
  const { language } = visit;
  const incidents = await incidentsFor({ login }, visit);
  const first = foremost(incidents);
  const apart = notesOf(state, language).map((note) => html`<p class="reason held">${note}</p>`);
  if (first === undefined) return apart;
  const { title, why } = sayIncident(first.facts, visit);
  return html`<p class="reason held">
      <a href="/incidents/${first.row.id}">${moment(first.row.opened_at, language)}</a>
      <bdi>${title}</bdi>${why !== null && html`. ${why}`}
      <span class="soft">${workSentences(first.work, language).join(' ')}</span>
      ${
        incidents.length > 1 &&
        html`<br /><a href="/incidents?login=${encodeURIComponent(login)}"
            >${language.say('web.nav.incidents')}: ${language.number(incidents.length)}</a
          >`
      }
    </p>
    ${apart}`;
}

/** What no incident says, in English as the command line says it. */
function notesOf(state: LoginState, language: Language): Part[] {
  if (readsOps(language)) return notesApart(state).map(prose);
  const { denied, unverified, watched, foreign } = state;
  const since = (at: number | null) => language.moment(at ?? 0);
  const notes: (Said | null)[] = [
    denied && { text: language.say('ops.login.denied', { since: since(denied.since) }), quoted: denied.text },
    unverified && {
      text: language.say('ops.login.unverified', {
        since: since(unverified.since),
        upload: unverified.upload,
        foreign: foreign ? 'yes' : 'no',
      }),
      quoted: null,
    },
    watched.silentSince === null
      ? null
      : sayWith(language.say('ops.login.unseen', { since: since(watched.silentSince) }), watched.note, language),
  ];
  return notes.filter((note) => note !== null).map(saidHtml);
}

function datasets(targets: RollbackTarget[], pages: Html, { language }: Visit): Part {
  if (targets.length === 0) return null;
  const { say, number } = language;
  const columns = [
    { title: say('web.login.upload') },
    { title: say('web.login.liveSince') },
    { title: say('web.now.rows'), number: true as const },
    { title: say('web.login.difference'), number: true as const },
    { title: say('web.now.state') },
    { title: say('web.login.feeds') },
  ];
  const rows = targets.map(({ upload, offerId, at, rows: count, difference, state, feeds }): Part[] => [
    html`<a href="/uploads/${upload}">${offerId ?? upload}</a>`,
    moment(at, language),
    number(count),
    state === 'live' ? '' : `${difference > 0 ? '+' : ''}${number(difference)}`,
    say(`web.target.${state}`),
    Object.entries(feeds)
      .map(([feed, size]) => `${feed} ${number(size)}`)
      .join(', '),
  ]);
  return html`<section>
    <h2>${say('web.login.datasets')}</h2>
    ${table(say('web.login.datasets'), columns, rows)} ${pages}
  </section>`;
}

type Rollback = { targets: RollbackTarget[]; second: Second | null };

function decisions(state: LoginState, { targets, second }: Rollback, visit: Visit): Part {
  if (!mayDo(MAY.operate, visit)) return null;
  const { login, paused, denied, frozen } = state;
  const standing = { paused: paused !== null, denied: denied !== null, frozen: frozen.length > 0 };
  const possible = targets.filter((target) => target.state === 'next' || target.state === 'good');
  return html`<section id="decide">
    <h2>${visit.language.say('web.decide.title')}</h2>
    ${standstillForms({ kind: 'login', name: login, ...standing }, visit)} ${waitingNotice(second, visit.language)}
    ${possible.length > 0 && rollback(login, { targets: possible, second }, visit)}
  </section>`;
}

function rollback(login: string, { targets, second }: Rollback, { language }: Visit): Html[] {
  const { say, number } = language;
  const fields = html`<div role="radiogroup" aria-label="${say('web.rollback.to')}">
    ${targets.map(
      ({ upload, offerId, at, rows, difference, state }) =>
        html`<label class="choice"
          ><input type="radio" name="to" value="${upload}" required ${state === 'next' && html`checked`} />
          <span
            >${offerId ?? upload}, ${moment(at, language)}: ${number(rows)}
            (${difference > 0 ? '+' : ''}${number(difference)})</span
          ></label
        >`,
    )}
  </div>`;
  const address = `/logins/${encodeURIComponent(login)}`;
  const form = {
    title: say('web.rollback.title'),
    says: [say('web.rollback.says', { login })],
    twice: { risk: false, text: say('web.twice.never') },
    action: `${address}/rollback`,
    fields,
    reason: true,
    button: say('web.rollback.title'),
    rehearse: { action: `${address}/rehearse`, button: say('web.rehearse.button') },
  };
  return secondForms(form, second, language).map((one) => decisionForm(one, language));
}

/** Makes an earlier good dataset live again, or asks for a second person. */
export async function rollBack({ params, form, call, visitor }: Visit): Promise<Answer> {
  const login = params['login'] ?? '';
  const asked = { login, to: form.get('to') || null, reason: form.get('reason') ?? '', ...tokenOf(visitor) };
  return decidedAt(`/logins/${encodeURIComponent(login)}`, 'rollback', await call('rollBack', asked));
}
