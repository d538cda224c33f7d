import { needsSomebody } from '../../../jobs/standing/status.ts';
import type { StatusLine } from '../../../jobs/standing/status-line.ts';
import { html, prose, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { moment } from '../../parts/moment.ts';
import { progressBar } from '../../parts/progress.ts';
import { table, type Row } from '../../parts/table.ts';
import { lostRows, SHOWN_MARKS, SHOWN_ORDER, shownTone } from '../../parts/tone.ts';
import { MAY, type Answer } from '../../route.ts';
import type { Progress } from '../../thread/gauges.ts';
import { mayDo, type Visit } from '../../visit.ts';
import { loginProgress } from '../login-progress.ts';
import { statusFor } from '../standing.ts';
import { countAttention } from './attention.ts';

/** The first page: each login and feed in one line, worst first, and whether anybody is needed. */
export async function nowPage(visit: Visit): Promise<Answer> {
  const { language, cell } = visit;
  const { lines } = await statusFor(visit);
  const place = (line: StatusLine) => SHOWN_ORDER.indexOf(shownTone(line));
  const seen = lines.toSorted((a, b) => place(a) - place(b));
  const title = language.say('web.now.title');
  const columns = [
    { title: language.say('web.now.name') },
    { title: language.say('web.now.rows'), number: true as const },
    { title: language.say('web.now.since') },
    { title: language.say('web.now.state') },
    { title: language.say('web.now.next') },
  ];
  const rows: Row[] = [];
  for (const line of seen) rows.push(lineCells(line, await progressOf(line, visit), visit));
  const body = html`
    <h1 class="unseen">${title}</h1>
    ${cell('verdict', verdict(seen, language), 'div')}
    ${cell('lines', html`${seen.length > 0 && table(title, columns, rows)}`, 'div')}
  `;
  return { page: { title: `${mark(seen)}${title}`, body, section: '/' } };
}

/** Shows in the browser's tab that somebody is needed. */
function mark(lines: StatusLine[]): string {
  const wanting = lines.filter(needsSomebody).length;
  return wanting === 0 ? '' : `(${wanting}) `;
}

/** How things stand in one sentence, and what needs attention, counted by kind. */
function verdict(lines: StatusLine[], language: Language): Html {
  const { say, number } = language;
  if (lines.length === 0) return html`<p class="verdict quiet" role="status">${say('web.now.none')}</p>`;
  const count = lines.filter(needsSomebody).length;
  const tones = lines.map(shownTone);
  const tone = SHOWN_ORDER.find((one) => one !== 'good' && tones.includes(one)) ?? 'good';
  const text =
    count > 0
      ? say('web.now.needed', { count })
      : tone === 'busy' || tone === 'look' || tone === 'quiet'
        ? say(`web.now.${tone}`, { count: tones.filter((one) => one === tone).length })
        : say('web.now.clear');
  const kinds = countAttention(lines).map(({ kind, count: of }) => `${say(`web.now.kind.${kind}`)}: ${number(of)}`);
  return html`<div class="verdict ${tone}" role="status">
    <p>${text}</p>
    ${
      kinds.length > 0 &&
      html`<ul class="kinds">
        ${kinds.map((kind) => html`<li>${kind}</li>`)}
      </ul>`
    }
  </div>`;
}

function lineCells(line: StatusLine, progress: Progress | null, visit: Visit): Row {
  const { language } = visit;
  const { rows, since, says, quoted } = line;
  const tone = shownTone(line);
  return [
    html`<span class="tone ${tone}" title="${language.say(`web.tone.${tone}`)}">${SHOWN_MARKS[tone]}</span
      ><span class="unseen">${language.say(`web.tone.${tone}`)}: </span>${name(line, visit)}`,
    rows === null ? '' : language.number(rows),
    since === null ? '' : moment(since, language),
    html`<span class="say ${tone}"
        >${prose(says)}${quoted !== undefined && html` <q lang="en">${prose(quoted)}</q>`}</span
      >${tone === 'look' && lostLinks(line, visit)}${progress !== null && html`<br />${progressBar(progress, language)}`}`,
    nextStep(line, visit),
  ];
}

/** How many rows of a delivery are not live, by why; each number opens them. */
function lostLinks({ notLive }: StatusLine, { language: { say, number } }: Visit): Part {
  if (notLive === undefined) return null;
  return lostRows(notLive.rows).map(
    ({ group, count }) =>
      html`<br /><a href="/runs/${notLive.run}/rows?group=${group}"
          >${say(`web.account.${group}`)}: ${number(count)}</a
        >`,
  );
}

function name({ what, name: text, login }: StatusLine, { language }: Visit): Part {
  if (text === null) return language.say(what === 'mail' ? 'web.now.mail' : 'web.now.work');
  const address = `/${what === 'login' ? 'logins' : 'feeds'}/${encodeURIComponent(text)}`;
  const link = html`<a href="${address}">${text}</a>`;
  return what === 'login'
    ? html`${language.say('web.now.login')} ${link}`
    : html`${link} <span class="soft">${login}</span>`;
}

/** How far the work on a feed's run, or on a login's upload, is. */
async function progressOf({ what, login, about }: StatusLine, visit: Visit): Promise<Progress | null> {
  if (what === 'login' && login !== null && about.upload !== undefined) return loginProgress(login, visit);
  return about.run === undefined ? null : visit.world.gauges.progress(about.run);
}

/** The one next action of a line: a link to the page that explains and does it; what only a shell can do is the command. */
function nextStep({ action, about, next }: StatusLine, visit: Visit): Part {
  const { language } = visit;
  if (action === null) return null;
  if (action === 'start') return html`<code>${next}</code>`;
  const address = addressOf(action, about);
  if (address === null) return next === null ? null : html`<code>${next}</code>`;
  return html`<a class="next" href="${address}"
    >${language.say(`web.action.${mayTake(action, visit) ? action : 'look'}`)}</a
  >`;
}

/** Whether the visitor finds a form for a next step; who does not can read there why it waits, and who decides. */
function mayTake(action: NonNullable<StatusLine['action']>, visit: Visit): boolean {
  if (action === 'look') return true;
  const isAboutRun = action === 'approve' || action === 'reject' || action === 'rerun';
  return mayDo(isAboutRun ? MAY.decide : MAY.operate, visit);
}

function addressOf(action: NonNullable<StatusLine['action']>, about: StatusLine['about']): string | null {
  const of = (folder: string, id: string, part = '') => `/${folder}/${encodeURIComponent(id)}${part}`;
  if (action === 'look' && about.incident !== undefined) return of('incidents', about.incident);
  if (about.run !== undefined) return of('runs', about.run);
  if (action === 'resolve' && about.upload !== undefined) return of('uploads', about.upload);
  if (about.feed !== undefined) return of('feeds', about.feed, '#decide');
  if (about.login !== undefined) return of('logins', about.login, '#decide');
  return action === 'look' ? '/system' : null;
}
