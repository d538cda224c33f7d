import type { Format } from '../model.ts';
import type { TableFile, TableInput } from './table-file.ts';

/** Opens a file with tables by its format; each reader is loaded when it is needed. Throws `file-rejected`. */
export async function openTables(format: Exclude<Format, 'text'>, input: TableInput): Promise<TableFile> {
  const openers = {
    xlsx: async () => (await import('./xlsx/open-xlsx.ts')).openXlsx,
    xls: async () => (await import('./xls/open-xls.ts')).openXls,
    xlsb: async () => (await import('./xls/open-xls.ts')).openXls,
    dbf: async () => (await import('./xls/open-xls.ts')).openXls,
    slk: async () => (await import('./xls/open-xls.ts')).openXls,
    ods: async () => (await import('./ods/open-ods.ts')).openOds,
    xml: async () => (await import('./xml/open-xml.ts')).openXml,
    json: async () => (await import('./json/open-json.ts')).openJson,
    html: async () => (await import('./html/open-html.ts')).openHtml,
  };
  return (await openers[format]())(input);
}
