import { supplierName } from '../../config/supplier.ts';
import { own } from '../../io/dictionary.ts';
import { supplierDeliveries, type SupplierDelivery } from '../../ledger/lists/supplier-deliveries.ts';
import { patternIn } from '../../pull/several/wanted.ts';
import { MEASURES, overallText, recoveryText, shareText, trendText } from '../../report/scorecard/words.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { moment } from '../parts/moment.ts';
import { table } from '../parts/table.ts';
import { SCORED_DAYS, scorecardOver } from '../shared-answers.ts';
import { nameOf, outcomeOf, rowsOf } from './told.ts';
import { addressIn, type SupplierAnswer, type SupplierVisit } from './visit.ts';

/** Deliveries on the page. */
const SHOWN = 10;

/** How a supplier's last deliveries went, where a corrected file can be sent, and how the supplier is scored. */
export async function deliveriesPage(visit: SupplierVisit): Promise<SupplierAnswer> {
  const { ctx, feed, language, url } = visit;
  const { say } = language;
  const found = await supplierDeliveries(ctx.ledger.db, { feed, sandbox: ctx.sandbox, limit: SHOWN });
  const body = html`
    <h1><bdi>${supplierName(ctx.config, feed)}</bdi></h1>
    <p>${say('supplier.page.lead')}</p>
    ${url.searchParams.has('sent') && html`<p class="notice" role="status">${say('supplier.page.sent')}</p>`}
    <section>
      <h2>${say('supplier.page.title')}</h2>
      ${found.length === 0 ? html`<p>${say('supplier.page.noDeliveries')}</p>` : deliveriesTable(found, visit)}
      <p><a href="${addressIn(visit)}">${say('supplier.page.again')}</a></p>
    </section>
    ${sendSection(visit)} ${await scoreSection(visit)}
  `;
  return { page: { title: say('supplier.page.title'), body } };
}

function deliveriesTable(found: readonly SupplierDelivery[], visit: SupplierVisit): Html {
  const { language } = visit;
  const { say, number } = language;
  const columns = [
    { title: say('supplier.page.file') },
    { title: say('supplier.page.received') },
    { title: say('supplier.page.became') },
    { title: say('supplier.page.read'), number: true as const },
    { title: say('supplier.page.wrong'), number: true as const },
  ];
  const rows = found.map((delivery): Part[] => {
    const { id, created_at: at } = delivery;
    const { read, wrong } = rowsOf(delivery);
    return [
      html`<a href="${addressIn(visit, 'deliveries', id)}"><bdi>${nameOf(delivery)}</bdi></a>`,
      moment(at, language),
      outcomeOf(delivery, language),
      read === null ? '–' : number(read),
      wrong === null ? '–' : number(wrong),
    ];
  });
  return table(say('supplier.page.title'), columns, rows);
}

/** The form that takes a corrected file, where the feed takes what is sent to it. */
function sendSection(visit: SupplierVisit): Part {
  const { ctx, feed, language, formKey } = visit;
  const { say } = language;
  const settings = own(ctx.config.feeds, feed);
  if (settings === undefined) return null;
  const { source, delivery } = settings;
  const title = html`<h2>${say('supplier.page.send')}</h2>`;
  if (source.type !== 'push')
    return html`<section>
      ${title}
      <p>${say('supplier.page.send.elsewhere')}</p>
    </section>`;
  return html`<form class="act" method="post" action="${addressIn(visit, 'deliveries')}" enctype="multipart/form-data">
    ${title}
    <p>${say(delivery === 'changes' ? 'supplier.page.send.changes' : 'supplier.page.send.full')}</p>
    <p>${say('supplier.page.send.name')} <code>${patternIn(source).text}</code></p>
    <input type="hidden" name="key" value="${formKey}" />
    <p>
      <label for="file">${say('supplier.page.file')}</label>
      <input id="file" name="file" type="file" required />
    </p>
    <p><button class="first">${say('supplier.page.send.button')}</button></p>
  </form>`;
}

/** The supplier's own scores. A rank is one among others, so there is none. */
async function scoreSection({ ctx, world, feed, language }: SupplierVisit): Promise<Part> {
  const { say } = language;
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
      ${score.trend !== null && html`<span class="soft">${trendText(score.trend, language)}</span>`}
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
