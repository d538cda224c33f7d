import { supplierName } from '../../config/supplier.ts';
import { own } from '../../io/dictionary.ts';
import {
  supplierDeliveries,
  untakenFiles,
  type SupplierDelivery,
  type UntakenFile,
} from '../../ledger/lists/supplier-deliveries.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { patternIn } from '../../pull/several/wanted.ts';
import { MEASURES, overallText, recoveryText, shareText, trendText } from '../../report/scorecard/words.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { moment } from '../parts/moment.ts';
import { table } from '../parts/table.ts';
import { SCORED_DAYS, scorecardOver } from '../shared-answers.ts';
import { megabytes } from './deliver.ts';
import { nameOf, outcomeOf, rowsOf } from './told.ts';
import { addressIn, type SupplierAnswer, type SupplierVisit } from './visit.ts';

const DAY_MS = 86_400_000;

/** Deliveries on the page. */
const SHOWN = 10;

/** How a supplier's last deliveries went, where a corrected file can be sent, and how the supplier is scored. */
export async function deliveriesPage(visit: SupplierVisit): Promise<SupplierAnswer> {
  const { ctx, feed, since, language, url } = visit;
  const { say } = language;
  const found = await supplierDeliveries(ctx.ledger.db, { feed, sandbox: ctx.sandbox, since, limit: SHOWN });
  const isFull = own(ctx.config.feeds, feed)?.delivery === 'full';
  const untaken = await untakenFiles(ctx.ledger.db, { feed, since, isFull, limit: SHOWN });
  const isEmpty = found.length === 0 && untaken.length === 0;
  const body = html`
    <h1><bdi>${supplierName(ctx.config, feed)}</bdi></h1>
    <p>${say('supplier.page.lead')}</p>
    ${url.searchParams.has('sent') && html`<p class="notice" role="status">${say('supplier.page.sent')}</p>`}
    <section>
      <h2>${say('supplier.page.title')}</h2>
      ${isEmpty ? html`<p>${say('supplier.page.noDeliveries')}</p>` : deliveriesTable(found, untaken, visit)}
      <p><a href="${addressIn(visit)}">${say('supplier.page.again')}</a></p>
    </section>
    ${await sendSection(found[0], visit)} ${await scoreSection(visit)}
  `;
  return { page: { title: say('supplier.page.title'), body } };
}

const BADGES = { arrived: 'running', replaced: 'nothing', rejected: 'rejected', failed: 'failed' };

function deliveriesTable(
  found: readonly SupplierDelivery[],
  untaken: readonly UntakenFile[],
  visit: SupplierVisit,
): Html {
  const { language } = visit;
  const { say, number } = language;
  const columns = [
    { title: say('supplier.page.file') },
    { title: say('supplier.page.received') },
    { title: say('supplier.page.became') },
    { title: say('supplier.page.read'), number: true as const },
    { title: say('supplier.page.wrong'), number: true as const },
  ];
  const others = untaken.map(({ name, at, became }) => ({
    at,
    cells: [
      html`<bdi>${name}</bdi>`,
      moment(at, language),
      html`<span class="badge ${BADGES[became]}">${say(`supplier.page.outcome.${became}`)}</span>`,
      '–',
      '–',
    ] as Part[],
  }));
  const taken = found.map((delivery) => {
    const { id, created_at: at } = delivery;
    const { read, wrong } = rowsOf(delivery);
    const link = html`<a href="${addressIn(visit, 'deliveries', id)}"><bdi>${nameOf(delivery)}</bdi></a>`;
    const numbers = [read, wrong].map((count) => (count === null ? '–' : number(count)));
    return { at, cells: [link, moment(at, language), outcomeOf(delivery, language), ...numbers] as Part[] };
  });
  const rows = [...others, ...taken].toSorted((one, other) => other.at - one.at).slice(0, SHOWN);
  return table(
    say('supplier.page.title'),
    columns,
    rows.map(({ cells }) => cells),
  );
}

/** The form that takes a corrected file, where the feed takes what is sent to it. */
async function sendSection(last: SupplierDelivery | undefined, visit: SupplierVisit): Promise<Part> {
  const { ctx, feed, language, formKey } = visit;
  const { say } = language;
  const settings = own(ctx.config.feeds, feed);
  if (settings === undefined) return null;
  const { source, delivery, login } = settings;
  const title = html`<h2>${say('supplier.page.send')}</h2>`;
  if (source.type !== 'push')
    return html`<section>
      ${title}
      <p>${say('supplier.page.send.elsewhere')}</p>
    </section>`;
  if ((await pauseOver(ctx.ledger.db, feed, login)) !== undefined)
    return html`<section>
      ${title}
      <p>${say('supplier.page.refused.paused')}</p>
    </section>`;
  return html`<form class="act" method="post" action="${addressIn(visit, 'deliveries')}" enctype="multipart/form-data">
    ${title}
    <p>${say(delivery === 'changes' ? 'supplier.page.send.changes' : 'supplier.page.send.full')}</p>
    <p>
      ${say('supplier.page.send.name')} <code>${patternIn(source).text}</code>
      ${last?.delivery_name != null && html`<br />${say('supplier.page.send.example')} <bdi>${last.delivery_name}</bdi>`}
    </p>
    <p>${say('supplier.page.send.largest', { size: megabytes(ctx.config.limits.fileSize) })}</p>
    <input type="hidden" name="key" value="${formKey}" />
    <p>
      <label for="file">${say('supplier.page.file')}</label>
      <input id="file" name="file" type="file" required />
    </p>
    <p><button class="first">${say('supplier.page.send.button')}</button></p>
  </form>`;
}

/** The supplier's own scores. A rank is one among others, so there is none. */
async function scoreSection({ ctx, world, feed, since, language }: SupplierVisit): Promise<Part> {
  const { say } = language;
  // Days of another supplier are counted as well, and compared with.
  const theirs = ctx.clock.now() - since;
  if (theirs < SCORED_DAYS * DAY_MS) return null;
  // What is kept for the console is in the console's time zone.
  const shared = openLanguage(language.name, ctx.config.web.timezone);
  const { scores } = await scorecardOver(SCORED_DAYS, { ctx, world, language: shared });
  const score = scores.find((one) => one.feed === feed);
  if (score === undefined) return null;
  const shares = MEASURES.map((key) => ({ key, value: shareText(score.measures[key].share, language) }));
  const told = [...shares, { key: 'recovery' as const, value: recoveryText(score, language) }];
  return html`<section>
    <h2>${say('supplier.page.score', { days: SCORED_DAYS })}</h2>
    <p>
      ${say('score.overall')}: <b>${overallText(score, language)}</b>
      ${score.trend !== null && theirs >= 2 * SCORED_DAYS * DAY_MS && html`<span class="soft">${trendText(score.trend, language)}</span>`}
    </p>
    <dl class="facts">
      ${told.map(
        ({ key, value }) =>
          html`<dt>${say(`score.${key}`)}</dt>
            <dd><b>${value}</b> <span class="soft">${say(`supplier.page.score.${key}`)}</span></dd>`,
      )}
    </dl>
  </section>`;
}
