/**
 * Measures detection beside what else npm has: `npm run bench:detect -- [FOLDER]`. The folder has `charset/` and
 * `dialect/`, each with files and a `manifest.json`; files of this kind come with chardet, uchardet and the collections
 * of published comparisons (CSV_Wrangling, Pollock, the W3C CSVW tests). They are for measuring only: none of them may
 * go into the repository or a test. Without a folder, files that the benchmark makes itself are measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { decodeBytes } from '../src/text-decode.ts';
import { isKeyCharset, labelledFiles, type Labelled } from './detection/labelled.ts';
import { measuring, OURS } from './detection/measure.ts';
import { madeTables, tableIn } from './detection/source-tables.ts';
import { tallies } from './detection/tally.ts';
import { variantsOf, type SourceTable, type Variant } from './detection/variants.ts';

const folder = process.argv[2];
const temporary = mkdtempSync(join(tmpdir(), 'offerline-bench-'));
const measure = await measuring(temporary);
const showFailures = process.env['FAILURES'] !== undefined;

function print(title: string, table: string): void {
  console.log(`\n## ${title}\n\nright in % (unsure, sure but wrong)\n\n${table}`);
}

async function measureCharsets(files: Labelled[]): Promise<void> {
  const counts = tallies();
  for (const file of files) {
    const { domain, nature, charset } = file;
    const measures = [
      'all',
      domain,
      `${domain}, ${nature}`,
      ...(isKeyCharset(charset) ? ['key charsets', charset] : []),
    ];
    await measure.charset(counts, measures, file);
  }
  print('Charset of labelled files', counts.table([OURS, 'jschardet', 'chardet']));
}

async function measureDialects(files: Labelled[]): Promise<void> {
  const counts = tallies();
  for (const file of files) {
    const { bytes, charset, delimiter, offerLike } = file;
    const measures = [
      'all',
      ...(offerLike ? ['offer-like', ...(delimiter === ',' ? [] : ['offer-like, not comma'])] : []),
    ];
    await measure.dialect(counts, measures, file, bytes, decodeBytes(bytes, charset));
  }
  print('Dialect of labelled files', counts.table([OURS, 'DuckDB', 'papaparse', 'csv-parse']));
}

/** Each table is written in many other ways, of which none was labelled by hand. */
async function measureVariants(tables: (SourceTable & { charsets?: readonly string[] })[]): Promise<void> {
  const charsets = tallies();
  const dialects = tallies();
  const headers = tallies();
  for (const [at, table] of tables.entries()) {
    const charset = table.charsets?.[at % table.charsets.length] ?? 'utf-8';
    for (const variant of variantsOf(table, at)) {
      const bytes = iconv.encode(variant.text, charset === 'x-mac-cyrillic' ? 'maccyrillic' : charset);
      if (table.charsets !== undefined) {
        const f = await measure.charset(charsets, ['all', charset], { bytes, charset });
        if (showFailures && decodeBytes(bytes, f.charset) !== variant.text)
          console.error(
            'CHARSET',
            table.name,
            variant.change,
            charset,
            JSON.stringify([f.charset, f.sure, f.confidence, f.evidence]),
          );
      }
      const found = await measure.dialect(dialects, ['all', variant.change], variant, bytes, variant.text);
      const isRight = isHeaderRight(variant, found);
      for (const name of ['all', variant.change]) headers.add(name, OURS, { isRight, isSure: found.sure });
      if (showFailures && (!isRight || found.delimiter !== variant.delimiter || found.quote !== variant.quote))
        console.error(
          table.name,
          variant.change,
          JSON.stringify({ ...variant, text: variant.text.slice(0, 250) }),
          JSON.stringify([found.delimiter, found.quote, found.header, found.headerLine, found.sure, found.evidence]),
        );
    }
  }
  print('Charset of variants', charsets.table([OURS, 'jschardet', 'chardet']));
  print('Dialect of variants', dialects.table([OURS, 'DuckDB', 'papaparse', 'csv-parse']));
  print('Header of variants', headers.table([OURS]));
}

function isHeaderRight(variant: Variant, found: { header: boolean; headerLine: number }): boolean {
  if (variant.header === undefined) return found.headerLine <= variant.headerLine;
  return found.header === variant.header && found.headerLine === variant.headerLine;
}

try {
  const made = [...madeTables()];
  if (folder === undefined) {
    console.log('No folder of labelled files was named: only files that are made here are measured.');
    await measureVariants(made);
  } else {
    const files = [...labelledFiles(folder)];
    await measureCharsets(files.filter(({ kind }) => kind === 'charset'));
    const dialects = files.filter(({ kind }) => kind === 'dialect');
    await measureDialects(dialects);
    await measureVariants(dialects.filter(({ offerLike }) => offerLike).flatMap((file) => tableIn(file) ?? []));
  }
} finally {
  rmSync(temporary, { recursive: true });
}
