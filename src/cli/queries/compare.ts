import type { Command } from 'commander';
import type { AskedComparison, ComparedSide, Comparison } from '../../jobs/rows/compare.ts';
import type { ComparedRow } from '../../jobs/rows/compare-rows.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { rowPlaceWords } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import { counted, moment } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';
import { pageWords, wholeNumber } from './page-option.ts';

type Options = { rows: number; page: number; search?: string; json?: true };

const HELP = `
Two runs are compared by their accepted rows, two uploads by their datasets. A run is named by its id, its beginning or end, latest or
latest:FEED; an upload by its id, its token or the id that the service gave it. Nothing is changed.

Examples:
  offerline compare 20261121-060000-k3f9x latest:north
  offerline compare 9007199254740993 9007199254740999 --rows 100 --search bosch
`;

/** Adds `compare`: what differs between two deliveries or two datasets. */
export function define(program: Command, io: Io): void {
  program
    .command('compare')
    .description('Compare two deliveries or two datasets: counts, brands, and the rows that differ.')
    .argument('<older>', 'a run or an upload')
    .argument('<newer>', 'a run, or an upload, to compare it with')
    .option('--rows <number>', 'show at most this many rows, up to 500', wholeNumber, 20)
    .option('--page <number>', 'show this page of them', wholeNumber, 1)
    .option('--search <text>', 'only rows with this in their brand, number (in any spelling) or name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((older: string, newer: string, options: Options, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { rows, page, search = '' } = options;
        const compared = await compare(older, newer, { size: rows, page, search }, ctx);
        if (options.json === true) return io.json(compared);
        const { fitText } = await import('../fit.ts');
        io.out(fitText(shown(compared, search)));
      }),
    );
}

async function compare(older: string, newer: string, asked: AskedComparison, ctx: Context): Promise<Comparison> {
  const [a, b] = [await named(older, ctx), await named(newer, ctx)];
  if (a.of !== b.of) {
    throw new OfferlineError(
      'usage',
      `${older} is a${a.of === 'run' ? '' : 'n'} ${a.of} and ${newer} is a${b.of === 'run' ? '' : 'n'} ${b.of}: compare two runs or two uploads.`,
    );
  }
  const { compareDatasets, compareDeliveries } = await import('../../jobs/rows/compare.ts');
  return a.of === 'run' ? compareDeliveries(a.id, b.id, asked, ctx) : compareDatasets(a.id, b.id, asked, ctx);
}

/** What a name means: an upload by a whole name, else a run by a whole or a part. */
async function named(name: string, ctx: Context): Promise<{ of: 'run' | 'upload'; id: string }> {
  const { findUpload } = await import('../../ledger/uploads/uploads.ts');
  const { idOfRun } = await import('../../ledger/runs/named-run.ts');
  const { db } = ctx.ledger;
  const upload = await findUpload(db, name).catch(unlessUnknown);
  if (upload !== null) return { of: 'upload', id: upload.id };
  const run = await idOfRun(db, name).catch(unlessUnknown);
  if (run !== null) return { of: 'run', id: run };
  const where = '`offerline runs` and `offerline rollback LOGIN --list` list them';
  throw new OfferlineError('not-found', `There is neither a run nor an upload ${name}; ${where}.`);
}

function unlessUnknown(error: unknown): null {
  if (error instanceof OfferlineError && error.code === 'not-found') return null;
  throw error;
}

const BRANDS = 10;

function shown(compared: Comparison, search: string): string {
  const { a, b, counts, columns, brands, moreBrands, matches, rows } = compared;
  const { before, after, added, removed, changed, same } = counts;
  const more = Math.max(0, brands.length - BRANDS) + moreBrands;
  return [
    `older      ${sideWords(a)}`,
    `newer      ${sideWords(b)}`,
    `rows       ${before} before, ${after} after: ${added} added, ${removed} removed, ${changed} changed, ${same} the same`,
    ...(columns.length === 0
      ? []
      : [`columns    ${columns.map(({ column, rows: count }) => `${column} ${count}`).join(', ')}`]),
    ...brands
      .slice(0, BRANDS)
      .map(
        (brand) =>
          `brand      ${brand.brand}: ${brand.added} added, ${brand.removed} removed, ${brand.changed} changed`,
      ),
    ...(more === 0 ? [] : [`           and ${counted(more, 'more brand')}`]),
    ...(matches === 0 ? nothingFound(search) : ['', pageWords(compared)]),
    ...rows.flatMap(rowLines),
  ]
    .map(printable)
    .join('\n');
}

/** The counts are those of all rows that differ, so that a search without a match has to be said. */
function nothingFound(search: string): string[] {
  return search === '' ? [] : ['', `None of the rows that differ has “${search}” in its brand, number or name.`];
}

function sideWords(side: ComparedSide): string {
  if (side.of === 'upload') return `upload ${side.offerId ?? side.upload} of ${side.login}, ${moment(side.at)}`;
  return `run ${side.run} of ${side.feed}, ${side.file ?? 'no file'}, ${moment(side.at)}`;
}

function rowLines({ change, key, before, after, columns, lines }: ComparedRow): string[] {
  const place = lines.after ?? lines.before;
  const where = place === null ? '' : `${place.feed} ${rowPlaceWords(place)}`;
  const { brand: _brand, oem: _oem, ...others } = after ?? before ?? {};
  const cells = change === 'changed' ? [] : Object.values(others).filter((cell) => cell !== '');
  return [
    `${change.padEnd(9)}  ${[key.brand, key.oem, ...cells].join(' | ')}  (${where})`,
    ...columns.map((cell) => `           ${cell.column}: [${cell.before}] → [${cell.after}]`),
  ];
}
