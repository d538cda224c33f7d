import type { Format } from '../model.ts';
import type { TableFile, TableInput } from './table-file.ts';

/** Opens a file with tables by its format; each reader is loaded when it is needed. Throws `file-rejected`. */
export async function openTables(format: Exclude<Format, 'text'>, input: TableInput): Promise<TableFile> {
  const openers = {
    xlsx: async () => (await import('./xlsx/open-xlsx.ts')).openXlsx,
  };
  return (await openers[format]())(input);
}
