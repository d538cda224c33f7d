import { dictionary, own } from '../../io/dictionary.ts';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { OfferlineError } from '../../errors.ts';
import { serviceTable, tableLayout } from '../tables/service-table.ts';
import type { OfferConfig } from '../../config/schema/schema.ts';

/** What reading a baseline needs; plain data, because it runs in a thread. */
export type BaselineInput = { sourcePath: string; indexPath: string; offer: OfferConfig };

/** A baseline's rows, and the `offer` settings with which its bytes are sent again. */
export type Baseline = { rows: number; offer: OfferConfig };

/** Stands in the index where a feed's name would: no feed can be called so. */
const NO_FEED = '(baseline)';

/**
 * Reads the file that the service keeps for somebody else's upload and writes its rows as a dataset's index. Memory does not grow
 * with the rows. Throws `service-reply` for what is no table.
 */
export async function readBaseline({ sourcePath, indexPath, offer }: BaselineInput): Promise<Baseline> {
  const { charset, delimiter } = await tableLayout(sourcePath);
  const index = createWriteStream(indexPath);
  let names: string[] | undefined;
  let places: number[] = [];
  let line = 0;
  let rows = 0;
  try {
    for await (const cells of serviceTable(sourcePath)) {
      line++;
      if (names === undefined) {
        const header = cells.map((cell) => cell.trim());
        names = [...new Set(header)].filter((name) => name !== '');
        places = names.map((name) => header.indexOf(name));
        continue;
      }
      rows++;
      const row = places.map((at) => (cells[at] ?? '').replaceAll(/[\t\r\n]+/g, ' '));
      if (!index.write(`${NO_FEED}\t${line}\t${row.join('\t')}\n`)) await once(index, 'drain');
    }
  } finally {
    index.end();
    await finished(index);
  }
  if (names === undefined || names.length === 0) {
    throw new OfferlineError('service-reply', 'The file that the service returned has no header.');
  }
  return { rows, offer: { ...offer, ...sentAs(charset, delimiter), columns: columnsOf(names, offer) } };
}

/** The settings with which the bytes are sent again as they came. */
function sentAs(charset: string, delimiter: string): Pick<OfferConfig, 'layout' | 'delimiter' | 'charset' | 'zip'> {
  const isTab = delimiter === '\t';
  return {
    layout: isTab ? 'txt' : 'csv',
    delimiter: delimiter === ';' ? ';' : ',',
    charset: charset === 'utf-8' ? 'UTF-8' : 'UTF-16',
    zip: false,
  };
}

function columnsOf(names: string[], offer: OfferConfig): OfferConfig['columns'] {
  const list = (name: string) => own(offer.columns, name.toLowerCase())?.list ?? false;
  return dictionary(names.map((name) => [name, { required: false, names: [name], list: list(name) }]));
}
