import { refusal } from '../../io/refusal.ts';
import { counted } from '../../wording/words.ts';
import type { TableFile, TableInput, TableRow } from '../table-file.ts';
import { exhaust } from '../text-pieces.ts';
import { htmlEncoding } from './html-encoding.ts';
import { parseHtml } from './parse-html.ts';
import { surveyTables } from './survey-tables.ts';
import { tableCells } from './table-cells.ts';

/**
 * Opens a web page with a table, which programs also write as `.xls`: the table with the most rows and filled cells is read, also
 * its hidden rows, and `notes` says so. Without a charset in the settings the page has to declare one or be UTF-8. Throws `file-rejected` when no table has two rows and two columns.
 */
export async function openHtml(input: TableInput): Promise<TableFile> {
  const encoding = await htmlEncoding(input, input.charset);
  const survey = surveyTables();
  await exhaust(parseHtml(input, encoding, survey));
  const table = survey.best();
  if (table === null) throw noTable(input.name);
  let hidden = 0;
  return {
    tables: [{ name: null, hidden: false }],
    rows: async function* (): AsyncGenerator<TableRow[], void> {
      const reader = tableCells(input, table.at);
      for await (const _piece of parseHtml(input, encoding, reader)) {
        const rows = reader.take();
        hidden = reader.hidden();
        if (rows.length > 0) yield rows;
      }
      const rest = reader.take();
      hidden = reader.hidden();
      if (rest.length > 0) yield rest;
    },
    found: null,
    isHeaded: false,
    columnNames: {},
    notes: () => [...otherNotes(survey.others()), ...hiddenNotes(hidden)],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function otherNotes(others: number): string[] {
  return others === 0
    ? []
    : [`The page has ${counted(others, 'smaller table')} more, which ${others === 1 ? 'was' : 'were'} left out.`];
}

function hiddenNotes(hidden: number): string[] {
  return hidden === 0 ? [] : [`${counted(hidden, 'hidden row')} of the page ${hidden === 1 ? 'was' : 'were'} read.`];
}

function noTable(file: string): Error {
  const what = `${file} is a web page without a table of at least two rows and two columns.`;
  const advice = 'It may be an error or login page: check whether the download needs a login.';
  return refusal('no-table', `${what} ${advice}`);
}
