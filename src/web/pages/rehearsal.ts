import { OfferlineError } from '../../errors.ts';
import type { RehearsedEffect, RunAnswer } from '../../model.ts';
import { html, prose, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import type { RunEnd } from '../../wording/managers/run-words.ts';
import { guardText } from '../../wording/managers/guard-words.ts';
import { sayWith } from '../../wording/ops/kept-said.ts';
import { endOfRun } from '../../wording/ops/run-said.ts';
import { saidHtml } from '../../wording/ops/said.ts';
import { brandsTable } from '../parts/brands.ts';
import { programsWords, readsOps, runReason } from '../parts/reasons/said.ts';
import { outcomeBadge } from '../parts/outcome.ts';
import { table } from '../parts/table.ts';
import { namedRun } from '../named.ts';
import { runProgram } from '../program.ts';
import type { Answer } from '../route.ts';
import { sees, type Visit } from '../visit.ts';

/** What a rehearsal answers, as far as it is shown. */
type Rehearsed = { effect: RehearsedEffect; notes: string[]; outcome?: RunAnswer['outcome'] };

/** Approves a held run in a private sandbox and shows what that would do; nothing real is touched. */
export async function rehearseApproval(visit: Visit): Promise<Answer> {
  const row = await namedRun(visit);
  const run = row.id;
  const back = `/runs/${run}#decide`;
  return rehearse(
    ['approve', run, '--rehearse'],
    { title: visit.language.say('web.rehearsal.approve', { run }), back, held: endOfRun(row) },
    visit,
  );
}

/** Goes back to an earlier dataset in a private sandbox and shows what that would do. */
export async function rehearseRollback(visit: Visit): Promise<Answer> {
  const login = visit.params['login'] ?? '';
  if (!Object.hasOwn(visit.ctx.config.logins, login))
    throw new OfferlineError('not-found', `There is no login ${login}.`);
  const to = visit.form.get('to') ?? '';
  if (to !== '' && !/^[\w-]+$/u.test(to)) throw new OfferlineError('usage', 'There is no such upload.');
  const args = ['rollback', login, '--rehearse', ...(to === '' ? [] : ['--to', to])];
  return rehearse(
    args,
    {
      title: visit.language.say('web.rehearsal.rollback', { login }),
      back: `/logins/${encodeURIComponent(login)}#decide`,
    },
    visit,
  );
}

async function rehearse(
  args: string[],
  { title, back, held = null }: { title: string; back: string; held?: RunEnd | null },
  visit: Visit,
): Promise<Answer> {
  const { language, world, request } = visit;
  const { effect, notes, outcome } = (await runProgram(args, world.loaded, request.signal)) as Rehearsed;
  const { say } = language;
  const body = html`
    <p class="stamp">${say('web.rehearsal.stamp')}</p>
    <h1>${title}</h1>
    ${outcome !== undefined && html`<p>${outcomeBadge(outcome, language)}</p>`} ${lead(effect, visit)}
    ${notes.map((note) => html`<p class="note">${programsWords(note, language)}</p>`)} ${feeds(effect, visit)}
    ${isOwn(effect, visit) && brands(effect, visit)} ${warnings(effect, held, visit)} ${rejected(effect, visit)}
    <p><a class="button" href="${back}">${say('web.rehearsal.back')}</a></p>
  `;
  return { page: { title, body, section: '/' } };
}

/**
 * What would happen in one sentence. The one of the command line is English and counts the rows of the whole login: it is for who
 * reads both, and for a decision that would upload nothing, where it says why.
 */
function lead(effect: RehearsedEffect, visit: Visit): Part {
  const { language, visitor } = visit;
  const { feeds: all, change, sentence } = effect;
  if (readsOps(language) && (all.length === 0 || visitor.feeds === null))
    return html`<p class="lead"><bdi>${prose(sentence)}</bdi></p>`;
  if (all.length === 0)
    return html`<p class="lead">${saidHtml(sayWith(language.say('web.rehearsal.nothing'), sentence, language))}</p>`;
  if (change === null || !isOwn(effect, visit)) return null;
  const { added, removed, changed } = change;
  return html`<p class="lead">${language.say('web.approve.diff', { added, removed, changed })}</p>`;
}

/** Whether all that would change is of feeds that the visitor sees: what becomes of others is not theirs to read. */
function isOwn({ feeds: all }: RehearsedEffect, visit: Visit): boolean {
  return all.every(({ feed, before, after }) => before === after || sees(feed, visit));
}

function feeds({ feeds: all, live }: RehearsedEffect, visit: Visit): Html {
  const { say, number } = visit.language;
  const seen = all.filter(({ feed }) => sees(feed, visit));
  const columns = [
    { title: say('web.part.feed') },
    { title: say('web.rehearsal.before'), number: true as const },
    { title: say('web.rehearsal.after'), number: true as const },
    { title: say('web.account.rejectedRemotely'), number: true as const },
  ];
  const shown = (rows: number | null) => (rows === null ? '–' : number(rows));
  const rows = seen.map(({ feed, before, after, rejected: lost }): Part[] => [
    feed,
    shown(before),
    number(after),
    number(lost),
  ]);
  const total: Part[] = [html`<b>${say('web.rehearsal.total')}</b>`, shown(live.before), shown(live.after), ''];
  return table(say('web.rehearsal.feeds'), columns, visit.visitor.feeds === null ? [...rows, total] : rows);
}

function brands({ change }: RehearsedEffect, { language }: Visit): Part {
  if (change === null) return null;
  const { say } = language;
  return html`<h2>${say('web.rehearsal.brands')}</h2>
    ${change.brands.length === 0 ? html`<p>${say('web.change.none')}</p>` : brandsTable(change.brands, language)}`;
}

/** What a person should weigh; the guards of the dataset count the rows of all feeds of the login. */
function warnings(
  { guards, lifts, freezes }: RehearsedEffect,
  held: RunEnd | null,
  { language, visitor }: Visit,
): Part {
  const { say } = language;
  const why = held === null ? null : runReason(held, language);
  return [
    lifts !== null &&
      html`<p class="reason held"><b>${say('web.rehearsal.lifts')}</b> ${why ?? programsWords(lifts, language)}</p>`,
    visitor.feeds === null && guards.map((guard) => html`<p class="reason held">${guardWords(guard, language)}</p>`),
    freezes.length > 0 && html`<p class="reason">${say('web.rehearsal.freezes', { feeds: freezes.join(', ') })}</p>`,
  ];
}

/** What a guard of the whole dataset says; in other languages than English behind what that means. */
function guardWords({ guard, sentence, facts }: RehearsedEffect['guards'][number], language: Language): Html {
  if (readsOps(language)) return html`<bdi>${sentence}</bdi>`;
  return html`${language.say('web.rehearsal.guard', { guard })} <bdi>${guardText(facts, language)}</bdi>`;
}

function rejected({ rejected: { examples } }: RehearsedEffect, visit: Visit): Part {
  const { say } = visit.language;
  const seen = examples.filter(({ feed }) => sees(feed, visit)).slice(0, 20);
  if (seen.length === 0) return null;
  const columns = ['web.part.feed', 'web.rows.line', 'web.part.brand', 'web.part.number', 'web.part.why'] as const;
  return html`<h2>${say('web.account.rejectedRemotely')}</h2>
    ${table(
      say('web.account.rejectedRemotely'),
      columns.map((key) => ({ title: say(key) })),
      seen.map(({ feed, line, brand, oem, message }): Part[] => [
        feed,
        line,
        html`<bdi>${brand}</bdi>`,
        html`<bdi>${oem}</bdi>`,
        html`<bdi>${message}</bdi>`,
      ]),
    )}`;
}
