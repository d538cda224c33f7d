import { OfferlineError } from '../../errors.ts';
import { rollbackPage } from '../../jobs/decisions/rollback-targets.ts';
import type { ComparedRow } from '../../jobs/rows/compare-rows.ts';
import { compareDatasets, compareDeliveries, type ComparedSide, type Comparison } from '../../jobs/rows/compare.ts';
import { listRuns } from '../../jobs/standing/lists/runs.ts';
import { findUpload } from '../../ledger/uploads/uploads.ts';
import { rowPlaceWords } from '../../wording/files/place.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { brandsTable } from '../parts/brands.ts';
import { moment } from '../parts/moment.ts';
import { numberedPager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { namedRun } from '../named.ts';
import { MAY, type Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

/** What can be compared with `b`: its id or name, and how it is shown. */
type Choice = { value: string; label: Part };

/** The differences of two deliveries of a feed, or of two datasets of a login; only the differences. */
export async function comparePage(visit: Visit): Promise<Answer> {
  const { language, url, world } = visit;
  const { say } = language;
  const ask = (name: string) => url.searchParams.get(name)?.slice(0, 100) ?? '';
  const [of, a, b] = [ask('of') === 'uploads' ? ('uploads' as const) : ('runs' as const), ask('a'), ask('b')];
  await assertMayCompare(
    of,
    [a, b].filter((id) => id !== ''),
    visit,
  );
  const asked = { search: ask('search'), page: Number(ask('page') || '1') };
  const compare = of === 'runs' ? compareDeliveries : compareDatasets;
  const key = JSON.stringify(['compare', of, a, b, asked]);
  const found =
    a === '' || b === ''
      ? null
      : await world.memo.get(key, { until: 'time', age: 60_000 }, () => compare(a, b, asked, visit.ctx));
  const choices = b === '' ? [] : await (of === 'runs' ? runsBefore(b, visit) : uploadsBefore(b, visit));
  const body = html`
    <h1>${say('web.compare.title')}</h1>
    ${chooser({ of, a, b, search: asked.search }, choices, visit)} ${found !== null && differences(found, visit)}
  `;
  return { page: { title: say('web.compare.title'), body, section: of === 'runs' ? '/runs' : '/uploads' } };
}

async function assertMayCompare(of: 'runs' | 'uploads', ids: string[], visit: Visit): Promise<void> {
  if (of === 'uploads' && !MAY.seeAll.includes(visit.visitor.role))
    throw new OfferlineError('not-found', 'There is no such upload, or it is of no feed that you see.');
  if (of === 'runs') for (const id of ids) await namedRun(visit, id);
}

async function runsBefore(id: string, visit: Visit): Promise<Choice[]> {
  const { ctx, language, visitor } = visit;
  const { feed } = await namedRun(visit, id);
  const { rows } = await listRuns({ feeds: visitor.feeds, feed }, { size: 50 }, ctx);
  return rows
    .filter(({ run, counts }) => run !== id && (counts?.accepted ?? 0) > 0)
    .map(({ run, createdAt, delivery }) => ({ value: run, label: html`${language.stamp(createdAt)} ${delivery}` }));
}

async function uploadsBefore(id: string, { ctx, language }: Visit): Promise<Choice[]> {
  const { login } = await findUpload(ctx.ledger.db, id);
  const { targets } = await rollbackPage(login, { page: 1, size: 50 }, ctx);
  return targets
    .filter(({ upload }) => upload !== id)
    .map(({ upload, offerId, at }) => ({
      value: upload,
      label: html`${at !== null && language.stamp(at)} ${offerId}`,
    }));
}

type Chosen = { of: string; a: string; b: string; search: string };

function chooser({ of, a, b, search }: Chosen, choices: Choice[], { language: { say } }: Visit): Html {
  const older =
    choices.length === 0
      ? html`<input id="older" name="a" value="${a}" required />`
      : html`<select id="older" name="a" required>
          ${choices.map(({ value, label }) => html`<option value="${value}" ${value === a && html`selected`}>${label}</option>`)}
        </select>`;
  return html`<form method="get" action="/compare" class="fields" role="search">
    <input type="hidden" name="of" value="${of}" />
    <p><label for="older">${say('web.compare.older')}</label>${older}</p>
    <p>
      <label for="newer">${say('web.compare.newer')}</label
      ><input id="newer" name="b" value="${b}" required maxlength="100" />
    </p>
    <p>
      <label for="search">${say('web.rows.search')}</label
      ><input id="search" name="search" type="search" value="${search}" maxlength="100" />
    </p>
    <p><button class="first">${say('web.compare.button')}</button></p>
  </form>`;
}

function differences(found: Comparison, visit: Visit): Part {
  const { language, url } = visit;
  const { say, number } = language;
  const { counts, brands, rows, page, size, matches } = found;
  const counted = (['added', 'removed', 'changed', 'same'] as const).map(
    (key) =>
      html`<dt>${say(`web.change.${key}`)}</dt>
        <dd>${number(counts[key])}</dd>`,
  );
  const columns = [
    'web.compare.change',
    'web.part.brand',
    'web.part.number',
    'web.compare.cells',
    'web.rows.line',
  ] as const;
  return [
    html`<p>${sideText(found.a, visit)} → ${sideText(found.b, visit)}</p>
      <dl class="facts">${counted}</dl>`,
    brands.length > 0 &&
      html`<h2>${say('web.rehearsal.brands')}</h2>
        ${brandsTable(brands.slice(0, SHOWN_BRANDS), language)}`,
    html`<h2>${say('web.compare.differences')}</h2>
      ${
        rows.length === 0
          ? html`<p>${say('web.change.none')}</p>`
          : table(
              say('web.compare.differences'),
              columns.map((key) => ({ title: say(key) })),
              rows.map((row) => rowCells(row, visit)),
            )
      }
      ${numberedPager({ page, size, total: matches }, url, language)}`,
  ];
}

function sideText(side: ComparedSide, { language }: Visit): Html {
  if (side.of === 'run')
    return html`<a href="/runs/${side.run}">${side.feed} ${side.run}</a>
      <bdi>${side.file}</bdi> ${moment(side.at, language)}`;
  return html`<a href="/uploads/${side.upload}">${side.login} ${side.offerId ?? side.upload}</a>
    ${moment(side.at, language)}`;
}

/** The brands that changed most; a page shows no thousand of them. */
const SHOWN_BRANDS = 20;

function rowCells({ change, key, columns, before, after, lines }: ComparedRow, { language: { say } }: Visit): Part[] {
  const whole = Object.entries(after ?? before ?? {}).filter(
    ([column, cell]) => !['brand', 'oem'].includes(column) && cell !== '',
  );
  const place = lines.after ?? lines.before;
  return [
    say(`web.change.${change}`),
    html`<bdi>${key.brand}</bdi>`,
    html`<bdi>${key.oem}</bdi>`,
    change === 'changed'
      ? columns.map(
          (one) =>
            html`${one.column}: <bdi class="value">${one.before}</bdi> → <bdi class="value">${one.after}</bdi><br />`,
        )
      : whole.map(([column, cell]) => html`${column}: <bdi>${cell}</bdi><br />`),
    place !== null && rowPlaceWords(place),
  ];
}
