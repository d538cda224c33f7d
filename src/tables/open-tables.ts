import { readBeginning } from '../io/read-pieces.ts';
import type { TableFormat } from '../model.ts';
import type { TableFile, TableInput } from './table-file.ts';

/** Opens a file with tables by its format; each reader is loaded when it is needed. Throws `file-rejected`. */
export async function openTables(format: TableFormat, input: TableInput): Promise<TableFile> {
  const openXls = async () => (await import('./xls/open-xls.ts')).openXls;
  const openers = {
    // One that is encrypted is in a container, as old ones are.
    xlsx: async () => (isZip(input) ? (await import('./xlsx/open-xlsx.ts')).openXlsx : openXls()),
    xls: openXls,
    xlsb: openXls,
    dbf: openXls,
    slk: openXls,
    ods: async () => (await import('./ods/open-ods.ts')).openOds,
    xml: async () => (await import('./xml/open-xml.ts')).openXml,
    json: async () => (await import('./json/open-json.ts')).openJson,
    html: async () => (await import('./html/open-html.ts')).openHtml,
  };
  return (await openers[format]())(input);
}

function isZip({ path }: TableInput): boolean {
  return readBeginning(path, 2).toString('latin1') === 'PK';
}
