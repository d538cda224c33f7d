import { Readable } from 'node:stream';
import { hasSupplierPage } from '../../../config/supplier.ts';
import { OfferlineError } from '../../../errors.ts';
import { mailAnswer, mailFile, type MailAnswer } from '../../../jobs/alerts/mail-file.ts';
import { findMail, newestMails } from '../../../ledger/alerts/mails.ts';
import { findRun } from '../../../ledger/runs/runs.ts';
import type { MailRow } from '../../../ledger/schema/schema.ts';
import { html, type Part } from '../../../wording/html.ts';
import { filterValue } from '../../parts/filter.ts';
import { moment } from '../../parts/moment.ts';
import { table } from '../../parts/table.ts';
import { refusal } from '../../http/refusal.ts';
import { MAY, type Answer } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';

/** Mails on the page. */
const SHOWN = 200;

/** The newest mails, or those about a run: to whom, where they went, and what they say where no mail server took them. */
export async function mailsPage(visit: Visit): Promise<Answer> {
  const { ctx, language, url } = visit;
  const { say } = language;
  const run = filterValue(url, 'run');
  const rows = await newestMails(ctx.ledger.db, { run, limit: SHOWN });
  const mails = rows.map((row) => mailAnswer(row, ctx));
  const columns = (['when', 'to', 'about', 'state', 'where', 'message'] as const).map((key) => {
    return { title: say(`web.mails.${key}`) };
  });
  const title = say('web.mails.title');
  const body = html`
    <h1>${title}</h1>
    ${run !== undefined && html`<p class="soft">${say('web.run.run')} <a href="/runs/${encodeURIComponent(run)}">${run}</a></p>`}
    ${
      mails.length === 0
        ? html`<p>${say('web.mails.none')}</p>`
        : table(
            title,
            columns,
            mails.map((mail) => cellsOf(mail, visit)),
          )
    }
  `;
  return { page: { title, body, section: '/system' } };
}

function cellsOf(
  { id, at, recipient, about, run, state, where, error, file }: MailAnswer,
  { language }: Visit,
): Part[] {
  const { say } = language;
  const said = say(`web.mails.about.${about}`);
  return [
    moment(at, language),
    html`<bdi>${recipient}</bdi>`,
    run === null ? said : html`${said} <a href="/runs/${run}">${run}</a>`,
    say(`web.mails.state.${state}`),
    html`<bdi lang="en">${where ?? error}</bdi>`,
    file && html`<a href="/mails/${encodeURIComponent(id)}" download>.eml</a>`,
  ];
}

/** The message of a mail as it was written to the outbox, on whichever machine. */
export async function downloadMail(visit: Visit): Promise<Answer> {
  const { ctx, params, language } = visit;
  const row = await findMail(ctx.ledger.db, params['mail'] ?? '');
  if (row === undefined || row.id !== params['mail'])
    throw new OfferlineError('not-found', `There is no single mail ${params['mail']}; \`offerline mails\` lists them.`);
  if (!mayDo(MAY.operate, visit) && (await mayHoldLink(row, ctx)))
    return { page: refusal(language, 'web.refused', language.say('web.mails.holdsLink')), status: 403 };
  const { name, bytes } = await mailFile(row, ctx);
  const file = Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>;
  return { file, name, type: 'message/rfc822' };
}

/** Whether a mail may have a draft with a link to a supplier's page, with which whoever has it delivers for the supplier. */
async function mayHoldLink({ about }: MailRow, { config, ledger }: Visit['ctx']): Promise<boolean> {
  const run = about.of === 'run' ? await findRun(ledger.db, about.run) : undefined;
  return run !== undefined && hasSupplierPage(config, run.feed);
}
