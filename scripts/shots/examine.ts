import type { AxeResults } from 'axe-core';
import type { Browser, Page as Tab } from 'playwright-core';
import { LOOKS, withTab, type Look } from './browser.ts';
import { findOverflow, unfold } from './in-page.ts';
import { printOnA4 } from './paper.ts';

/** A page to examine; a mail is shown inside the page of a mail program. */
export type Examined = { of: 'mail' | 'report'; html: string };

/** Takes a picture (PNG), or the printed page (PDF). */
type Keep = (look: Look | 'print', bytes: Buffer) => Promise<void>;

/** A report takes at most so many sheets of paper. */
const MOST_SHEETS = 3;

/** Rules on the landmarks of a whole page: in a mail program these are not the mail's. */
const NOT_OF_MAILS = ['landmark-one-main', 'region'];

/**
 * Looks at a page in each way, unfolded, and on paper. Answers with what is wrong: rules of axe that it breaks, addresses that it
 * loads, parts that stand out of a phone or a sheet, too many sheets, cards that are split. `keep` gets the pictures.
 */
export async function examine(browser: Browser, page: Examined, keep?: Keep): Promise<string[]> {
  const found: string[] = [];
  for (const look of Object.keys(LOOKS) as Look[]) {
    const seen = await withTab(browser, { html: page.html, look }, async (tab, asked) => {
      await keep?.(look, await tab.screenshot({ fullPage: true }));
      await tab.evaluate(unfold);
      const loaded = asked.map((url) => `it loads ${url.slice(0, 200)}`);
      return [...loaded, ...(await violations(tab, page.of)), ...(await tab.evaluate(findOverflow))];
    });
    found.push(...seen.map((finding) => `${look}: ${finding}`));
  }
  const onPaper = await withTab(browser, { html: page.html, look: 'wide' }, async (tab) => {
    const { pdf, sheets, split, prepare } = await printOnA4(tab);
    await keep?.('print', pdf);
    await prepare();
    const many = page.of === 'report' && sheets > MOST_SHEETS ? [`${sheets} sheets`] : [];
    const cut = page.of === 'report' ? split.map((card) => `split over two sheets: ${card}`) : [];
    return [...many, ...cut, ...(await tab.evaluate(findOverflow))];
  });
  return [...found, ...onPaper.map((finding) => `print: ${finding}`)];
}

/** A line for each rule of axe that a page with axe in it breaks, with the first places; a mail is inside another page. */
export async function violations(tab: Tab, of: 'mail' | 'report' | 'console'): Promise<string[]> {
  const rules = Object.fromEntries((of === 'mail' ? NOT_OF_MAILS : []).map((rule) => [rule, { enabled: false }]));
  const { violations: broken } = await tab.evaluate(
    (options): Promise<AxeResults> => {
      const { axe } = globalThis as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } };
      return axe.run(options);
    },
    { rules },
  );
  return broken.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary ?? ''}`);
    return `${id} (${help}), ${nodes.length} ×: ${places.join(' | ')}`.replaceAll(/\s+/g, ' ');
  });
}
