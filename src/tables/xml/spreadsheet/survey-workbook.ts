import type { Encoding } from '../../encoding.ts';
import { detached } from '../../fit-row.ts';
import type { TableInfo, TableInput } from '../../table-file.ts';
import { exhaust } from '../../text-pieces.ts';
import { parseXml, type XmlEvents } from '../parse-xml.ts';

/** The sheets of a workbook, and the number formats of its styles by their ids. */
export type WorkbookSurvey = { sheets: TableInfo[]; formats: Map<string, string> };

const MOST_SHEETS = 1_000;
const MOST_STYLES = 65_536;

/** Reads a workbook once for what stands in it beside the cells: names of sheets, which are hidden, and styles. */
export async function surveyWorkbook(input: TableInput, encoding: Encoding): Promise<WorkbookSurvey> {
  const sheets: TableInfo[] = [];
  const formats = new Map<string, string>();
  let style = '';
  let visible: string | null = null;
  const events: XmlEvents = {
    open: (element, attributes) => {
      const of = (key: string) => attributes.find(([name]) => name === key)?.[1] ?? null;
      if (element === 'Worksheet' && sheets.length < MOST_SHEETS) {
        sheets.push({ name: short(of('Name') ?? `Sheet${sheets.length + 1}`), hidden: false });
      } else if (element === 'Style') {
        style = short(of('ID') ?? '');
        const parent = formats.get(of('Parent') ?? '');
        if (parent !== undefined && formats.size < MOST_STYLES) formats.set(style, parent);
      } else if (element === 'NumberFormat' && formats.size < MOST_STYLES) {
        formats.set(style, short(of('Format') ?? ''));
      } else if (element === 'Visible') visible = '';
    },
    text: (text) => {
      if (visible !== null) visible += text.slice(0, 100);
    },
    close: (element) => {
      if (element !== 'Visible') return;
      const sheet = sheets.at(-1);
      if (sheet !== undefined && /^\s*Sheet(?:Very)?Hidden\s*$/.test(visible ?? '')) sheet.hidden = true;
      visible = null;
    },
  };
  await exhaust(parseXml(input, encoding, events));
  return { sheets, formats };
}

/** Names and formats are short, and kept. */
function short(text: string): string {
  return detached(text.slice(0, 200));
}
