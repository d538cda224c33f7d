import type { RunRow } from '../../../ledger/schema/schema.ts';
import { factSections, type Found } from '../../../report/html.ts';
import type { ReportInput } from '../../../report/input.ts';
import { causesSection } from '../../../report/page/causes.ts';
import { changeSection } from '../../../report/page/change.ts';
import { goneSection } from '../../../report/page/gone.ts';
import { liveSection } from '../../../report/page/live.ts';
import { outcomeHeader, title } from '../../../report/page/outcome.ts';
import { readingsSection } from '../../../report/page/readings.ts';
import { LISTED_ROWS, rowsSection } from '../../../report/page/rows.ts';
import { signalsSection } from '../../../report/page/signals.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { doneNotice } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { progressBar } from '../../parts/progress.ts';
import { readsOps, runReason } from '../../parts/reasons/said.ts';
import { namedRun } from '../../named.ts';
import type { Answer } from '../../route.ts';
import { seenReport } from '../../seen-run.ts';
import type { Visit } from '../../visit.ts';
import { loginProgress } from '../login-progress.ts';
import { secondOfRun, type Second } from '../requests.ts';
import { accountLinks } from './account.ts';
import { decisionsAbout } from './decisions.ts';
import { foundIn } from './found.ts';
import { heldChange, heldChangeSection, type HeldChange } from './held-change.ts';

/** One run: how it goes while it runs, what came of it, and what can be decided about it. */
export async function runPage(visit: Visit): Promise<Answer> {
  const { ctx, language, url, cell } = visit;
  const run = await namedRun(visit);
  const input = await seenReport(run, visit, ctx.config.web.timezone);
  // What was found in the file is read when it is final: while a run is at work, its page is made again and again.
  const found = run.stage === 'done' ? await foundIn(run, input) : nothingYet(input);
  const decided = { held: await heldChange(run, visit), second: await secondOfRun(run, visit) };
  const body = html`
    ${where(run, visit)} ${doneNotice(url, language)} ${cell('state', html`${await stateOf(run, visit)}`, 'div')}
    ${cell('report', report(input, { ...found, ...decided }, run, visit), 'div')}
  `;
  return { page: { title: title(input, found.causes), body, section: '/runs' } };
}

function nothingYet({ answer }: ReportInput): Found {
  return { causes: [], issues: [], rejections: answer.rejections.slice(0, LISTED_ROWS) };
}

type Read = Found & { held: HeldChange | null; second: Second | null };

function report(input: ReportInput, { causes, held, second, ...rows }: Read, run: RunRow, visit: Visit): Part {
  const { diff } = input.answer;
  return [
    outcomeHeader(input, causes, opsReason(input)),
    meaningLink(input.answer, visit),
    readingsSection(input),
    goneSection(input),
    decisionsAbout(run, { ...input.answer, diff: held?.diff ?? diff, second }, visit),
    held !== null && heldChangeSection(run, held, visit),
    liveSection(input),
    accountLinks(run, input.answer, visit),
    // What was compared when it was held is the same, or older; of a whole dataset it is more.
    (held === null || diff?.of === 'dataset') && changeSection(input),
    signalsSection(input),
    causesSection(input, causes),
    downloads(run, visit),
    rowsSection(input, rows),
    factSections(input),
  ];
}

/** In English the technical details below have the reason of the command line. */
function opsReason({ answer, reason, language }: ReportInput): Html | null {
  if (readsOps(language)) return null;
  return runReason({ ...answer, reason }, language);
}

/** Leads to what the outcome of a run means that did not get through. */
function meaningLink({ outcome, cause }: ReportInput['answer'], { language }: Visit): Part {
  if (outcome === null || outcome === 'live' || outcome === 'partial' || cause === null) return null;
  const asked = encodeURIComponent(`${outcome}: ${cause}`);
  return html`<p class="soft"><a href="/docs?q=${asked}">${language.say('web.why')}</a></p>`;
}

function where({ id, feed, login, cause, created_at }: RunRow, { language }: Visit): Html {
  return html`<p class="soft">
    <a href="/feeds/${encodeURIComponent(feed)}">${feed}</a> · ${language.say('web.now.login')} ${login} ·
    ${language.say('web.run.run')} <code>${id}</code> · ${language.say(`web.run.cause.${cause}`)} ·
    ${moment(created_at, language)}
  </p>`;
}

/** While it runs: its stage, how far that is, and its last event; else that it has ended. */
async function stateOf(run: RunRow, visit: Visit): Promise<Part> {
  const { world, language } = visit;
  if (run.outcome !== null && run.stage === 'done')
    return html`<p class="soft">${language.say('web.run.ended')} ${moment(run.finished_at, language)}</p>`;
  const own = world.gauges.progress(run.id);
  const atLogin = run.stage === 'compose' || run.stage === 'upload';
  const shared = atLogin ? await loginProgress(run.login, visit) : null;
  const progress = own ?? shared;
  return html`<p class="verdict busy" role="status">
    ${language.say(`web.run.stage.${run.stage}`)} ${progress !== null && progressBar(progress, language)}
  </p>`;
}

function downloads({ id, feed, stage, delivery_sha }: RunRow, { ctx, language, visitor }: Visit): Part {
  if (stage !== 'done') return null;
  const hasAddress = ctx.config.feeds[feed]?.supplier?.email !== undefined;
  const formats = ['html', 'csv', 'xlsx', 'json'] as const;
  return html`<section aria-label="${language.say('web.run.downloads')}">
    <h2>${language.say('web.run.downloads')}</h2>
    <p>
      ${formats.map((format, at) => html`${at > 0 && ' · '}<a href="/runs/${id}/report.${format}" download>${language.say(`web.run.download.${format}`)}</a>`)}
      ${delivery_sha !== null && html`· <a href="/runs/${id}/delivery" download>${language.say('web.run.download.delivery')}</a>`}
      ${hasAddress && html`· <a href="/runs/${id}/supplier-mail.eml" download>${language.say('web.run.download.draft')}</a>`}
    </p>
    <p>
      <a href="/compare?of=runs&b=${id}">${language.say('web.compare.delivery')}</a>
      ${visitor.feeds === null && html`· <a href="/mails?run=${id}">${language.say('web.run.mails')}</a>`}
    </p>
  </section>`;
}
