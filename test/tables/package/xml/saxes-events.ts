import { SaxesParser } from 'saxes';
import type { XmlHandler } from '../../../../src/tables/package/xml/scanner.ts';
import { XmlTag } from '../../../../src/tables/package/xml/tag.ts';
import { escapeXml } from '../../xlsx/made-workbook.ts';

/** Tells a handler of a document as `XmlScanner` does, by a parser for all of XML. Throws what it complains about. */
export function tellBySaxes(xml: string, codes: Record<string, number>, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false });
  const codeOf = (name: string) => codes[name.slice(name.indexOf(':') + 1)] ?? 0;
  const tell = (text: string) => {
    if (handler.wantsText()) handler.text(text);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const written = Object.entries(attributes as Record<string, string>).map(
      ([key, value]) => ` ${key}="${escapeXml(value)}"`,
    );
    const tag = new XmlTag();
    tag.read(`<${name}${written.join('')}>`, 0);
    handler.open(codeOf(name), tag);
  });
  parser.on('closetag', ({ name }) => void handler.close(codeOf(name)));
  parser.on('text', tell);
  parser.on('cdata', tell);
  parser.write(xml).close();
}
