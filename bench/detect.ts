/**
 * Measures detection beside what else npm has: `npm run bench:detect -- [--failures] [--every N] [FOLDER]`. The folder has
 * `charset/` and `dialect/`, each with files and a `manifest.json`; files of this kind come with chardet and uchardet, and
 * with the published comparisons CSV_Wrangling, Pollock and the W3C tests of CSV on the Web. They are for measuring only:
 * none of them may go into the repository or a test. Without a folder, files that the benchmark makes itself are measured;
 * with `--every` only one in N files of the folder is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import iconv from 'iconv-lite';
import { decodeBytes } from '../src/io/text-decode.ts';
import { charsetLists } from './detection/charset-lists.ts';
import { isKeyCharset, labelledFiles, type Labelled } from './detection/labelled.ts';
import { measuring, OURS } from './detection/measure.ts';
import { madeTables, tableIn } from './detection/source-tables.ts';
import { tallies } from './detection/tally.ts';
import { variantsOf, type SourceTable, type Variant } from './detection/variants.ts';

const { values, positionals } = parseArgs({
  options: { failures: { type: 'boolean' }, every: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const [folder] = positionals;
const temporary = mkdtempSync(join(tmpdir(), 'offerline-bench-'));
const measure = await measuring(temporary);
const CHARSET_COLUMNS = [OURS, 'jschardet', 'chardet', 'chardetng'];
const LISTS_OF_A_KIND = 3;
const DIALECT_COLUMNS = [OURS, 'DuckDB', 'papaparse', 'csv-parse'];

function print(title: string, table: string): void {
  console.log(`\n## ${title}\n\nright in % (unsure, sure but wrong)\n\n${table}`);
}

async function measureCharsets(files: Labelled[], title: string): Promise<void> {
  const counts = tallies();
  for (const file of files) {
    const { domain, nature, charset } = file;
    const key = isKeyCharset(charset) ? ['key charsets', charset] : [];
    await measure.charset(counts, ['all', domain, `${domain}, ${nature}`, ...key], file);
  }
  print(title, counts.table(CHARSET_COLUMNS));
}

/** In a file of one column there is no delimiter to be right about. */
async function measureDialects(files: Labelled[]): Promise<void> {
  const counts = tallies();
  for (const file of files.filter(({ offerLike }) => offerLike)) {
    const { bytes, charset, delimiter } = file;
    const measures = ['offer-like', ...(delimiter === ',' ? [] : ['offer-like, not comma'])];
    await measure.dialect(counts, measures, file, bytes, decodeBytes(bytes, charset));
  }
  print('Dialect of labelled files', counts.table(DIALECT_COLUMNS));
}

/** Each table is written in many other ways, so that rules which fit only the files at hand are found out. */
async function measureVariants(tables: (SourceTable & { charsets?: readonly string[] })[]): Promise<void> {
  const [charsets, dialects, headers] = [tallies(), tallies(), tallies()];
  for (const [at, table] of tables.entries()) {
    const charset = table.charsets?.[at % table.charsets.length] ?? 'utf-8';
    for (const variant of variantsOf(table, at)) {
      const bytes = iconv.encode(variant.text, charset === 'x-mac-cyrillic' ? 'maccyrillic' : charset);
      if (table.charsets !== undefined) await measure.charset(charsets, ['all', charset], { bytes, charset });
      const found = await measure.dialect(dialects, ['all', variant.change], variant, bytes, variant.text);
      const isRight = isHeaderRight(variant, found);
      for (const name of ['all', variant.change]) headers.add(name, OURS, { isRight, isSure: found.sure });
      const isDialectRight = found.delimiter === variant.delimiter && found.quote === variant.quote;
      if (values.failures === true && !(isRight && isDialectRight)) {
        console.error(table.name, { ...variant, text: variant.text.slice(0, 400) }, found);
      }
    }
  }
  if (tables.some(({ charsets }) => charsets !== undefined)) {
    print('Charset of variants', charsets.table(CHARSET_COLUMNS));
  }
  print('Dialect of variants', dialects.table(DIALECT_COLUMNS));
  print('Header of variants', headers.table([OURS]));
}

/** Where nobody said whether the first row is a header, only what is found above the table can be wrong. */
function isHeaderRight(variant: Variant, found: { header: boolean; headerLine: number }): boolean {
  if (variant.header === undefined) return found.headerLine >= variant.headerLine;
  return found.header === variant.header && found.headerLine === variant.headerLine;
}

try {
  if (folder === undefined) {
    console.log(
      'No folder of labelled files was named: what is measured is made here. See the top of bench/detect.ts.',
    );
    await measureCharsets([...charsetLists(LISTS_OF_A_KIND)], 'Charset of lists of many trades');
    await measureVariants([...madeTables()]);
  } else {
    const files = [...labelledFiles(folder)].filter((_, at) => at % Number(values.every) === 0);
    await measureCharsets(
      files.filter(({ kind }) => kind === 'charset'),
      'Charset of labelled files',
    );
    const dialects = files.filter(({ kind }) => kind === 'dialect');
    await measureDialects(dialects);
    await measureVariants(dialects.filter(({ offerLike }) => offerLike).flatMap((file) => tableIn(file) ?? []));
  }
} finally {
  rmSync(temporary, { recursive: true });
}
