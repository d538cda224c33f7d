/** How a cell looks: text as it was, the supplier's header, a faulty cell, a doubtful one, a heading of ours, a paragraph of ours. */
export type Look = (typeof LOOKS)[number];

const LOOKS = ['plain', 'head', 'error', 'warning', 'title', 'paragraph'] as const;

/** What a spreadsheet would run as a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The number of the style of a cell. One that looks like a formula is marked as text for whoever edits it, its text stays as it is. */
export function styleOf(look: Look, text: string): number {
  return 1 + LOOKS.indexOf(look) * 2 + (FORMULA.test(text) ? 1 : 0);
}

const FONTS = {
  plain: '<font><sz val="11"/><name val="Calibri"/></font>',
  head: '<font><b/><sz val="11"/><name val="Calibri"/></font>',
  error: '<font><sz val="11"/><color rgb="FF9C0006"/><name val="Calibri"/></font>',
  warning: '<font><sz val="11"/><color rgb="FF7F6000"/><name val="Calibri"/></font>',
  title: '<font><b/><sz val="14"/><name val="Calibri"/></font>',
  paragraph: '<font><sz val="11"/><name val="Calibri"/></font>',
} satisfies Record<Look, string>;

const FILLS = {
  plain: '<fill><patternFill patternType="none"/></fill>',
  head: solid('FFE7E6E6'),
  error: solid('FFFFC7CE'),
  warning: solid('FFFFEB9C'),
  title: '<fill><patternFill patternType="none"/></fill>',
  paragraph: '<fill><patternFill patternType="none"/></fill>',
} satisfies Record<Look, string>;

/** The first style is that of cells nobody wrote; some readers take nothing else from it. */
const UNUSED = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';

/** The part with the styles. All cells have the format "text" (49), so that what is typed into them stays text, too. */
export function stylesPart(): string {
  // The second fill is taken to be a pattern of dots by every spreadsheet, whatever stands there.
  const [plain, ...others] = LOOKS.map((look) => FILLS[look]);
  const fills = [plain, '<fill><patternFill patternType="gray125"/></fill>', ...others];
  const formats = LOOKS.flatMap((look, at) =>
    [false, true].map((quoted) => {
      const wrap = look === 'paragraph' ? '<alignment vertical="top" wrapText="1"/>' : '';
      const fill = at === 0 ? 0 : at + 1;
      return (
        `<xf numFmtId="49" fontId="${at}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"` +
        `${wrap === '' ? '' : ' applyAlignment="1"'}${quoted ? ' quotePrefix="1"' : ''}>${wrap}</xf>`
      );
    }),
  );
  return (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `${list(
      'fonts',
      LOOKS.map((look) => FONTS[look]),
    )}${list('fills', fills)}` +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    list('cellXfs', [UNUSED, ...formats]) +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

function list(name: string, items: (string | undefined)[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}

function solid(color: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`;
}
