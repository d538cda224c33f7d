import { refusal } from '../../io/refusal.ts';
import { counted } from '../../wording/words.ts';
import type { MergedCells } from '../merged-cells.ts';
import type { TableFile, TableInput, TableRow } from '../table-file.ts';
import { exhaust } from '../text-pieces.ts';
import { htmlEncoding } from './html-encoding.ts';
import { parseHtml } from './parse-html.ts';
import { surveyTables, type OtherTable, type PageList } from './survey-tables.ts';
import { tableCells } from './table-cells.ts';

/**
 * Opens a web page with a table, which programs also write as `.xls`: the table with the most rows and filled cells is read, also
 * its hidden rows, and tables with the same header are one list; `notes` says so. Without a charset in the settings the page has to declare one or be UTF-8. Throws `file-rejected` when no table has two rows and two columns.
 */
export async function openHtml(input: TableInput): Promise<TableFile> {
  const encoding = await htmlEncoding(input, input.charset);
  const survey = surveyTables();
  await exhaust(parseHtml(input, encoding, survey));
  const list = survey.best();
  if (list === null) throw noTable(input.name);
  let hidden = 0;
  let merged: MergedCells[] = [];
  return {
    tables: [{ name: null, hidden: false }],
    rows: async function* (): AsyncGenerator<TableRow[], void> {
      const reader = tableCells(input, list.at);
      merged = reader.merged();
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
    merged: () => merged,
    notes: () => [...joinedNotes(list), ...otherNotes(survey.others()), ...hiddenNotes(hidden)],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function joinedNotes({ at }: PageList): string[] {
  if (at.length === 1) return [];
  return [
    `${counted(at.length, 'table')} of the page have the same header and are one list; rows are counted through all.`,
  ];
}

/** Other tables that are named. */
const SHOWN_TABLES = 5;

function otherNotes(others: OtherTable[]): string[] {
  if (others.length === 0) return [];
  const shown = others.slice(0, SHOWN_TABLES).map(({ at, rows }) => `table ${at} (${counted(rows, 'row')})`);
  const more = others.length > shown.length ? `, and ${others.length - shown.length} more` : '';
  return [
    `${counted(others.length, 'other table')} of the page ${others.length === 1 ? 'was' : 'were'} left out: ${shown.join(', ')}${more}.`,
  ];
}

function hiddenNotes(hidden: number): string[] {
  return hidden === 0 ? [] : [`${counted(hidden, 'hidden row')} of the page ${hidden === 1 ? 'was' : 'were'} read.`];
}

function noTable(file: string): Error {
  const what = `${file} is a web page without a table of at least two rows and two columns.`;
  const advice = 'It may be an error or login page: check whether the download needs a login.';
  return refusal('no-table', `${what} ${advice}`);
}
