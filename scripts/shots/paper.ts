import type { Page as Tab } from 'playwright-core';
import { markCards, unmarkCards } from './in-page.ts';

/** A page as it is printed. `prepare` makes its tab as wide as the sheet, with the style of paper. */
type Printed = { pdf: Buffer; sheets: number; split: string[]; prepare: () => Promise<void> };

const MARGIN = '1cm';

/** The space within the margins of A4, in CSS pixels. */
const SPACE = { width: 718, height: 1047 };

/** What must stay together on paper. */
const CARDS = 'figure, details, tr, .cause, .standing, .reason';

/**
 * Prints on A4. `split`: how the cards begin of which a part is on another sheet than the rest. Links that are put into
 * the first and last line of each card tell it: the PDF names them sheet by sheet.
 */
export async function printOnA4(tab: Tab): Promise<Printed> {
  const margin = { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN };
  const print = () => tab.pdf({ format: 'A4', printBackground: true, margin });
  const prepare = async () => {
    await tab.emulateMedia({ media: 'print' });
    await tab.setViewportSize(SPACE);
  };
  const pdf = await print();
  await prepare();
  const cards = await tab.evaluate(markCards, CARDS);
  const sheets = linksBySheet((await print()).toString('latin1'));
  await tab.evaluate(unmarkCards);
  const split = cards.filter((_, at) => {
    const sheetOf = (end: string) => sheets.findIndex((links) => links.includes(`https://card.invalid/${at}/${end}`));
    return sheetOf('start') !== sheetOf('end');
  });
  return { pdf, sheets: linksBySheet(pdf.toString('latin1')).length, split, prepare };
}

/** The links on each sheet of a PDF as Chromium writes it. */
function linksBySheet(pdf: string): string[][] {
  const objects = new Map([...pdf.matchAll(/(\d+) 0 obj\b(.*?)\bendobj/gs)].map(([, id, text = '']) => [id, text]));
  const sheets = [...objects.values()].filter((text) => /\/Type\s*\/Page\b/.test(text));
  return sheets.map((sheet) => {
    const annotations = /\/Annots\s*\[(.*?)\]/s.exec(sheet)?.[1] ?? '';
    const referred = [...annotations.matchAll(/(\d+) 0 R/g)].map(([, id]) => objects.get(id) ?? '');
    const links = [...[annotations, ...referred].join(' ').matchAll(/\/URI\s*\((.*?)\)/g)];
    return links.map(([, uri = '']) => uri);
  });
}
