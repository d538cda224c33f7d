import { getDataset, getIntent } from '../../../ledger/uploads/intents.ts';
import { findUpload } from '../../../ledger/uploads/uploads.ts';
import { runsOfIntent } from '../../../ledger/runs/runs.ts';
import type { DatasetRow, IntentRow, UploadRow } from '../../../ledger/schema/schema.ts';
import type { ReceiptCheck } from '../../../model.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { assertConfirmed, decisionForm } from '../../parts/decision.ts';
import { doneAt, doneNotice } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { progressBar } from '../../parts/progress.ts';
import { table } from '../../parts/table.ts';
import { MAY, type Answer } from '../../route.ts';
import type { Progress } from '../../thread/gauges.ts';
import { mayDo, type Visit } from '../../visit.ts';
import { loginProgress } from '../login-progress.ts';
import { dossierLinks } from './dossier.ts';
import { proof } from './uploads-page.ts';

/** One upload: where it stands, what the service says of it, its proof, and whose rows are in it. */
export async function uploadPage(visit: Visit): Promise<Answer> {
  const { ctx, params, language, cell, url } = visit;
  const { db } = ctx.ledger;
  const upload = await findUpload(db, params['upload'] ?? '');
  const intent = await getIntent(db, upload.intent);
  const dataset = await getDataset(db, intent.dataset);
  const title = `${language.say('web.login.upload')} ${upload.offer_id ?? upload.id}`;
  const progress = upload.closed_at === null ? await loginProgress(upload.login, visit) : null;
  const head = cell('standing', standing({ upload, intent, dataset, progress }, visit), 'div');
  if (visit.onlyCells) return { page: { title, body: head } };
  const runs = await runsOfIntent(db, upload.intent);
  const body = html`
    <p class="soft">
      ${language.say('web.now.login')} <a href="/logins/${encodeURIComponent(upload.login)}">${upload.login}</a>
    </p>
    <h1>${title}</h1>
    ${doneNotice(url, language)} ${head} ${checks(intent, visit)}
    <h2>${language.say('web.login.feeds')}</h2>
    ${parts(dataset, visit)}
    ${runs.length > 0 && html`<p>${language.say('web.nav.runs')}: ${runs.map(({ id, feed }) => html`<a href="/runs/${id}">${feed} ${id}</a> `)}</p>`}
    <p><a href="/compare?of=uploads&b=${upload.id}">${language.say('web.compare.dataset')}</a></p>
    ${dossierLinks(upload.id, visit)} ${resolveForm(upload, visit)}
  `;
  return { page: { title, body, section: '/uploads' } };
}

type Standing = { upload: UploadRow; intent: IntentRow; dataset: DatasetRow; progress: Progress | null };

function standing({ upload, intent, dataset, progress }: Standing, { language }: Visit): Html {
  const { say, number } = language;
  const facts: [string, Part][] = [
    [
      say('web.users.state'),
      html`<b>${upload.state}</b> ${upload.service_state} ${progress !== null && progressBar(progress, language)}`,
    ],
    [say('web.uploads.note'), html`<bdi>${upload.note ?? upload.error ?? '–'}</bdi>`],
    [say('web.uploads.opened'), moment(upload.created_at, language)],
    [say('web.uploads.sent'), moment(upload.sent_at, language)],
    [say('web.uploads.closed'), moment(upload.closed_at, language)],
    [say('web.uploads.attempts'), number(upload.attempt)],
    [say('web.uploads.token'), html`<code>${upload.token}</code>`],
    [say('web.now.rows'), number(dataset.rows)],
    [say('web.account.rejectedRemotely'), number(intent.rejected_rows)],
    [say('web.uploads.proof'), proof(intent.receipt?.verified ?? null, say)],
  ];
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

const MARKS: Record<ReceiptCheck['result'], 'good' | 'bad' | 'quiet'> = {
  ok: 'good',
  failed: 'bad',
  unavailable: 'quiet',
};

function checks({ receipt }: IntentRow, { language: { say } }: Visit): Part {
  if (receipt === null) return null;
  const columns = [
    { title: say('web.system.check') },
    { title: say('web.users.state') },
    { title: say('web.system.found') },
  ];
  const rows = receipt.checks.map(({ check, result, detail }): Part[] => [
    check,
    html`<span class="say ${MARKS[result]}">${result}</span>`,
    html`<bdi>${detail}</bdi>`,
  ]);
  return html`<h2>${say('web.uploads.proof')}</h2>
    ${table(say('web.uploads.proof'), columns, rows)}`;
}

function parts({ parts: all }: DatasetRow, { language }: Visit): Html {
  const { say, number } = language;
  const columns = [
    { title: say('web.part.feed') },
    { title: say('web.run.run') },
    { title: say('web.now.rows'), number: true as const },
  ];
  const rows = all.map(({ feed, run, rows: count }): Part[] => [
    html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a>`,
    html`<a href="/runs/${run}">${run}</a>`,
    number(count),
  ]);
  return table(say('web.login.feeds'), columns, rows);
}

/** Only what a person knows can settle an upload whose outcome is unknown. */
function resolveForm({ id, state }: UploadRow, visit: Visit): Part {
  if (!mayDo(MAY.operate, visit)) return null;
  if (!['sending', 'unknown', 'submitted'].includes(state)) return null;
  const { language } = visit;
  const { say } = language;
  return html`<section id="decide">
    <h2>${say('web.decide.title')}</h2>
    ${decisionForm(
      {
        title: say('web.resolve.title'),
        says: [say('web.resolve.says')],
        twice: { risk: true, text: say('web.resolve.twice') },
        action: `/uploads/${id}/resolve`,
        fields: html`<div role="radiogroup" aria-label="${say('web.resolve.title')}">
          <label class="choice"
            ><input type="radio" name="as" value="live" required /> ${say('web.resolve.live')}</label
          >
          <label class="choice"><input type="radio" name="as" value="lost" /> ${say('web.resolve.lost')}</label>
        </div>`,
        reason: true,
        button: say('web.resolve.title'),
        confirm: say('web.resolve.confirm'),
      },
      language,
    )}
  </section>`;
}

/** Settles an upload as its form says. */
export async function resolveUpload(visit: Visit): Promise<Answer> {
  const { params, form, call } = visit;
  assertConfirmed(visit);
  const as = form.get('as') === 'live' ? 'live' : 'lost';
  const upload = params['upload'] ?? '';
  const { woken } = await call('resolve', { upload, as, reason: form.get('reason') ?? '' });
  return doneAt(`/uploads/${upload}`, 'resolve', woken);
}
