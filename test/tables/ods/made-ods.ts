import { rawZip } from '../../support/raw-zip.ts';

const MIMETYPE = 'application/vnd.oasis.opendocument.spreadsheet';

const SPACES = ['office', 'table', 'text', 'style', 'number', 'dc', 'draw', 'calcext']
  .map((prefix) => `xmlns:${prefix}="urn:${prefix}"`)
  .join(' ');

/** What a spreadsheet of the tests is made of; parts that are given replace what is made, or are added. */
type Made = { tables?: string; styles?: string; settings?: string; parts?: Record<string, string | null> };

/** An OpenDocument spreadsheet as LibreOffice would save it. `tables`: content of `<office:spreadsheet>`. */
export function madeOds({ tables = '', styles = '', settings = '', parts = {} }: Made): Buffer {
  const made: Record<string, string | null> = {
    mimetype: MIMETYPE,
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content ${SPACES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${settings}${tables}</office:spreadsheet></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${SPACES}><office:styles/></office:document-styles>`,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="urn:m"><manifest:file-entry manifest:full-path="/"/></manifest:manifest>`,
    ...parts,
  };
  const entries = Object.entries(made).flatMap(([name, data]) =>
    data === null ? [] : [{ name, data, stored: name === 'mimetype' }],
  );
  return rawZip(entries);
}

/** A table of rows. */
export function table(rows: string, { name = 'List', attributes = '' } = {}): string {
  return `<table:table table:name="${name}" ${attributes}>${rows}</table:table>`;
}

/** A row of cells. */
export function row(...cells: string[]): string {
  return `<table:table-row>${cells.join('')}</table:table-row>`;
}

/** A cell with a text. */
export function text(content: string, attributes = ''): string {
  return `<table:table-cell office:value-type="string" ${attributes}><text:p>${content}</text:p></table:table-cell>`;
}

/** A cell with a number, and how the writer shows it. */
export function float(value: string, attributes = '', shown = value): string {
  return `<table:table-cell office:value-type="float" office:value="${value}" ${attributes}><text:p>${shown}</text:p></table:table-cell>`;
}

/** A style of cells with a style of numbers. */
export function numbers(name: string, content: string, kind = 'number-style'): string {
  return `<number:${kind} style:name="N-${name}">${content}</number:${kind}><style:style style:name="${name}" style:family="table-cell" style:data-style-name="N-${name}"/>`;
}
