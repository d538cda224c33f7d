import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SHEET_CODES, SheetReader } from '../../../../src/tables/xlsx/sheet-reader.ts';
import { XmlScanner, type XmlHandler } from '../../../../src/tables/package/xml/scanner.ts';
import { escapeXml, LIMITS } from '../../xlsx/made-workbook.ts';
import { tellBySaxes } from './saxes-events.ts';
import { repetitions } from '../../../support/repetitions.ts';

const CODES = { a: 1, b: 2 };

/** What a handler is told, with texts joined and attributes spelled out. */
function recorder(): { handler: XmlHandler; events: string[] } {
  const events: string[] = [];
  const add = (event: string) => void events.push(event);
  return {
    events,
    handler: {
      open: (code, tag) => {
        const keys = Array.from({ length: tag.count }, (_key, at) =>
          tag.text.slice(tag.keyStarts[at], tag.keyEnds[at]),
        );
        add(`<${code}${keys.map((key, at) => ` ${key}=${JSON.stringify(tag.value(at))}`).join('')}>`);
      },
      close: (code) => {
        add(`</${code}>`);
        return events.length % 3 === 0;
      },
      wantsText: () => true,
      text: (text) => {
        if (events.at(-1)?.startsWith('"')) events.push(`"${events.pop()?.slice(1)}${text}`);
        else add(`"${text}`);
      },
    },
  };
}

function scan(pieces: string[], codes: Record<string, number>, handler: XmlHandler): void {
  const scanner = new XmlScanner(codes, handler);
  for (const piece of pieces) {
    scanner.write(piece);
    while (!scanner.scan());
  }
  scanner.end();
}

/** A text cut where the numbers say. */
function cut(text: string, places: number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

const piece = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('abЖ<>&"\'] \r\n\t-?!/=x;')) }).map(escapeXml),
  fc.constantFrom(
    '&lt;',
    '&#65;',
    '&#x416;',
    '&apos;',
    '&gt;',
    '<!-- <a> & -->',
    '<?go <b>?>',
    '<![CDATA[<a>&amp;]]]>',
    '\r\n',
    '\r',
  ),
);
const attribute = fc
  .record({
    key: fc.constantFrom('r', 's', 'x:t', 'space'),
    value: fc.string({ unit: fc.constantFrom(...Array.from("ab<>&'é ")) }),
  })
  .map(({ key, value }) => ` ${key}="${escapeXml(value)}"`);
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .record({
      name: fc.constantFrom('a', 'b', 'x:a', 'other', 'ab'),
      attributes: fc.uniqueArray(attribute, { maxLength: 3, selector: (text) => text.split('=')[0] }),
      inside: fc.array(fc.oneof({ depthSize: 'small' }, piece, tie('element')), { maxLength: 4 }),
      isEmpty: fc.boolean(),
      blank: fc.constantFrom('', ' ', '\n'),
    })
    .map(({ name, attributes, inside, isEmpty, blank }) =>
      isEmpty && inside.length === 0
        ? `<${name}${attributes.join('')}${blank}/>`
        : `<${name}${attributes.join('')}${blank}>${inside.join('')}</${name}${blank}>`,
    ),
}));

const places = fc.array(fc.nat(), { maxLength: 8 });

test('it tells what a parser for all of XML tells, wherever the pieces are cut', () => {
  fc.assert(
    fc.property(element, places, (xml, at) => {
      // A raw "]]>" is no text in XML; the scanner does not mind.
      fc.pre(!xml.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '').includes(']]>'));
      const [ours, theirs] = [recorder(), recorder()];
      tellBySaxes(xml, CODES, theirs.handler);
      scan(cut(xml, at), CODES, ours.handler);
      expect(ours.events.map(spellBlanks)).toEqual(theirs.events.map(spellBlanks));
    }),
    { numRuns: repetitions(2000), seed: 20_260_301 },
  );
});

/** Line breaks in attributes are blanks to XML; no attribute of a sheet has any. */
function spellBlanks(event: string): string {
  return event.startsWith('<') ? event.replaceAll(/\\[rnt]/g, ' ') : event;
}

const cell = fc
  .record({
    type: fc.constantFrom('', ' t="s"', ' t="str"', ' t="b"', ' t="inlineStr"', ' t="e"'),
    style: fc.constantFrom('', ' s="1"'),
    value: fc.constantFrom(
      '',
      '<v/>',
      '<v>1</v>',
      '<v>0</v>',
      '<f>A1</f>',
      '<f>1</f><v>2</v>',
      '<is><t>A &amp; B</t></is>',
    ),
  })
  .map(({ type, style, value }) => `<c${style}${type}>${value}</c>`);
const row = fc
  .record({ hidden: fc.constantFrom('', ' hidden="1"', ' spans="1:9"'), cells: fc.array(cell, { maxLength: 6 }) })
  .map(({ hidden, cells }) => `<row${hidden}>${cells.join('')}</row>`);

test('sheets have the same rows by both', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), places, (rows, at) => {
      const xml = `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
      const [ours, theirs] = [sheetReader(), sheetReader()];
      tellBySaxes(xml, SHEET_CODES, theirs);
      scan(cut(xml, at), SHEET_CODES, ours);
      expect(ours.rows.take()).toEqual(theirs.rows.take());
      expect(ours.rows.findings).toEqual(theirs.rows.findings);
    }),
    { numRuns: repetitions(500), seed: 20_260_301 },
  );
});

function sheetReader(): SheetReader {
  const strings = { get: (number: number) => `string ${number}`, add: () => {}, size: () => 2, close: async () => {} };
  const formats = [{ kind: 'plain' as const }, { kind: 'plain' as const }];
  return new SheetReader({ file: 'list.xlsx', sheet: 'List1' }, LIMITS, { strings, formats, is1904: false });
}

test.each([
  ['a tag longer than a megabyte', `<a b="${'x'.repeat(2 << 20)}`, 'a tag is longer than a megabyte'],
  ['too many attributes', `<a${' b="1"'.repeat(300)}/>`, 'a tag has too many attributes'],
  [
    'too many names',
    `<a>${Array.from({ length: 5000 }, (_name, at) => `<n${at}/>`).join('')}`,
    'it has too many names of elements',
  ],
  ['something behind its end', '<a/><a/>', 'something follows its end'],
  ['an instruction that is none', '<a><!ELEMENT a></a>', '"<!ELEMENT " begins no tag'],
  ['a slash in a tag', '<a / b="">', 'a tag has a "/" inside'],
])('it refuses %s', (_name, xml, message) => {
  expect(() => scan([xml], CODES, recorder().handler)).toThrow(message);
});

test('a text that is longer than any piece is not gathered', () => {
  const lengths: number[] = [];
  const handler: XmlHandler = {
    open: () => {},
    close: () => false,
    wantsText: () => true,
    text: (text) => void lengths.push(text.length),
  };
  scan(['<a>', ...Array.from({ length: 100 }, () => 'x'.repeat(10_000)), '</a>'], CODES, handler);
  expect([lengths.length, Math.max(...lengths)]).toEqual([100, 10_000]);
});
