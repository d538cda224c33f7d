import { existsSync } from 'node:fs';
import { markedFile, type MarkedFile } from '../../jobs/queries/marked-file.ts';
import { reportInput } from '../../jobs/queries/run-report.ts';
import { isCorrection } from '../../jobs/queries/supplier-mail.ts';
import { filesBefore } from '../../ledger/lists/supplier-deliveries.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Detection } from '../../model.ts';
import { causeRows, placeText } from '../../report/marked/sheets.ts';
import type { Faults } from '../../report/marked/faults.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { placeIn } from '../../wording/files/place.ts';
import type { MessageKey } from '../../wording/language/language.ts';
import { OfferlineError } from '../../errors.ts';
import { workbookOf } from '../pages/run/downloads.ts';
import { moment } from '../parts/moment.ts';
import { table } from '../parts/table.ts';
import { faultsOf } from './faults.ts';
import { nameOf, outcomeOf, rowsOf } from './told.ts';
import { inTurn } from './turns.ts';
import { addressIn, type SupplierAnswer, type SupplierVisit } from './visit.ts';

/** Rows with mistakes on the page: the workbook has all of them. */
const SHOWN_ROWS = 100;

/** What is wrong with one delivery, by cause and by line, and what to do. */
export async function deliveryPage(visit: SupplierVisit): Promise<SupplierAnswer> {
  const run = await deliveryIn(visit);
  if (run === null) return null;
  const { language } = visit;
  const { say, number } = language;
  const { read, wrong } = rowsOf(run);
  const name = nameOf(run);
  const body = html`
    <p><a href="${addressIn(visit)}">${say('supplier.page.title')}</a></p>
    <h1><bdi>${name}</bdi></h1>
    <dl class="facts">
      <dt>${say('supplier.page.received')}</dt>
      <dd>${moment(run.created_at, language)}</dd>
      <dt>${say('supplier.page.became')}</dt>
      <dd>${outcomeOf(run, language)}</dd>
      ${
        read !== null &&
        html`<dt>${say('supplier.page.read')}</dt>
          <dd>${number(read)}</dd>`
      }
      ${
        wrong !== null &&
        html`<dt>${say('supplier.page.wrong')}</dt>
          <dd>${number(wrong)}</dd>`
      }
    </dl>
    ${await mistakes(run, visit)}
  `;
  return { page: { title: name, body } };
}

/** The rows of one delivery that have mistakes, marked in a workbook with the supplier's own columns. */
export async function downloadWorkbook(visit: SupplierVisit): Promise<SupplierAnswer> {
  const run = await deliveryIn(visit);
  if (run === null || !isReported(run)) return null;
  const { language } = visit;
  try {
    return await workbookOf(await workbookFor(run, visit));
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'conflict') throw error;
    const title = language.say('supplier.page.title');
    const body = html`<h1><bdi>${nameOf(run)}</bdi></h1>
      <p>${language.say('supplier.page.noWorkbook')}</p>
      <p><a href="${addressIn(visit)}">${title}</a></p>`;
    return { page: { title, body }, status: 409 };
  }
}

/** Workbooks that are made, by what they were made from: whoever asks for one again has it at once. */
const made = new Map<string, Pick<MarkedFile, 'path' | 'name'>>();
const MOST_MADE = 300;

/** The workbook of a run, made in the supplier's turn unless it is there. */
async function workbookFor(
  run: RunRow,
  { ctx, language, request }: SupplierVisit,
): Promise<Pick<MarkedFile, 'path' | 'name'>> {
  const key = JSON.stringify([run.id, run.issues_sha, run.rejections_sha, run.outcome, language.name]);
  const known = made.get(key);
  if (known !== undefined && existsSync(known.path)) return known;
  const { signal } = request;
  const make = async () => markedFile(run, await reportInput(run, ctx, language.name), ctx, signal);
  const { path, name } = await inTurn(run.feed, make, signal);
  made.set(key, { path, name });
  if (made.size > MOST_MADE) made.delete(made.keys().next().value ?? key);
  return { path, name };
}

/** The run of the address where it took a file of this supplier; any other is as if there were none. */
async function deliveryIn({ ctx, feed, since, params }: SupplierVisit): Promise<RunRow | null> {
  const run = await findRun(ctx.ledger.db, params['run'] ?? '');
  if (run === undefined || run.feed !== feed || run.created_at < since || run.delivery_sha === null) return null;
  const others = await filesBefore(ctx.ledger.db, { feed, since }, [run.delivery_sha]);
  return (run.sandbox === 1) === ctx.sandbox && others.size === 0 ? run : null;
}

/** Whether what was found in a file is whole and still there. */
function isReported({ outcome, reports_pruned_at: pruned }: RunRow): boolean {
  return outcome !== null && pruned === null;
}

async function mistakes(run: RunRow, visit: SupplierVisit): Promise<Part> {
  const { ctx, language } = visit;
  const { say } = language;
  const { read } = rowsOf(run);
  if (run.outcome === null) return html`<p>${say('supplier.page.open')}</p>`;
  if (isCorrection(run))
    return html`<p>${say('supplier.mail.full', { count: read ?? 0 })} ${say('supplier.mail.full.send')}</p>`;
  if (!isReported(run)) return html`<p>${say('supplier.page.forgotten')}</p>`;
  const { detection } = run;
  if (detection === null || run.outcome === 'nothing') return html`<p>${say(unreadText(run))}</p>`;
  const faults = await faultsOf(run, detection, language, ctx);
  if (faults.causes.length === 0)
    return html`<p>${say(run.outcome === 'rejected' ? 'supplier.page.notUsed' : 'supplier.page.clean')}</p>`;
  return html`<section>
    <h2>${say('supplier.page.wrong')}</h2>
    <p>
      ${faults.rows === 0 ? say('supplier.what.file') : say('supplier.what', { count: faults.rows, read: read ?? faults.rows })}
    </p>
    ${
      run.bytes_pruned_at === null &&
      html`<p>
        <a href="${addressIn(visit, 'deliveries', run.id, 'workbook')}" download>${say('supplier.page.workbook')}</a>
      </p>`
    }
    ${causesTable(faults, detection, visit)} ${linesTable(faults, detection, visit)}
  </section>`;
}

/** What is said of a file of which no mistakes can be shown. */
function unreadText({ outcome, options }: RunRow): MessageKey {
  if (outcome === 'failed') return 'supplier.page.failed';
  if (outcome === 'nothing') return 'supplier.page.replaced';
  return options.cause === 'file-unusable' ? 'supplier.page.unread' : 'supplier.page.notUsed';
}

function causesTable(faults: Faults, detection: Detection, { language }: SupplierVisit): Html {
  const { say } = language;
  const [cause, remedy, column, rows, places] = (['cause', 'remedy', 'column', 'rows', 'places'] as const).map(
    (key) => ({ title: say(`supplier.head.${key}`) }),
  );
  const columns = [cause!, remedy!, column!, { ...rows!, number: true as const }, places!];
  return table(say('supplier.page.wrong'), columns, causeRows(faults, detection, language));
}

/** The first lines with mistakes, each with all that is wrong with it. */
function linesTable({ causes, faults, cut }: Faults, { parts }: Detection, { language }: SupplierVisit): Part {
  if (faults.length === 0) return null;
  const { say } = language;
  const lines = [...Map.groupBy(faults, ({ line }) => line)];
  const shown = lines.slice(0, SHOWN_ROWS);
  const columns = [{ title: say('supplier.page.line') }, { title: say('supplier.head.cause') }];
  const rows = shown.map(([line, found]): Part[] => [
    placeText(placeIn(parts, line), language),
    [...new Set(found.map(({ cause }) => cause))].map((at) => {
      const { cause, column } = causes[at]!;
      return html`<div>${column !== null && html`<b><bdi>${column}</bdi></b> `}${cause}</div>`;
    }),
  ]);
  return html`<h3>${say('supplier.page.lines')}</h3>
    ${table(say('supplier.page.lines'), columns, rows)}
    ${(cut || lines.length > shown.length) && html`<p class="note">${say('supplier.page.moreLines')}</p>`}`;
}
