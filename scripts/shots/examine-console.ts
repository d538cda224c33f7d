import type { Page as Tab } from 'playwright-core';
import { axeSource } from './browser.ts';
import { violations } from './examine.ts';
import { findOverflow, unfold } from './in-page.ts';

/** How a page of the console is looked at. At 200 % zoom a window of 1280 pixels has 640 left. */
export const WINDOWS = {
  phone: { width: 390, height: 844 },
  zoomed: { width: 640, height: 450 },
  wide: { width: 1440, height: 900 },
} as const;

/** The width of A4 within its margins, in CSS pixels. */
const PAPER = { width: 718, height: 1047 };

/**
 * Looks at an open page of the console in each way, unfolded, and on paper. Answers with what is wrong: rules of axe that it breaks, and
 * parts that stand out of the window to the right.
 */
export async function examineConsole(tab: Tab): Promise<string[]> {
  const found: string[] = [];
  const note = (look: string, findings: string[]) => found.push(...findings.map((finding) => `${look}: ${finding}`));
  await tab.evaluate(await axeSource());
  await tab.evaluate(unfold);
  for (const [look, size] of Object.entries(WINDOWS)) {
    await tab.setViewportSize(size);
    note(look, await tab.evaluate(findOverflow));
    if (look !== 'zoomed') note(look, await violations(tab, 'console'));
  }
  await tab.emulateMedia({ colorScheme: 'dark' });
  note('dark', await violations(tab, 'console'));
  await tab.emulateMedia({ colorScheme: 'light', media: 'print' });
  await tab.setViewportSize(PAPER);
  note('print', await tab.evaluate(findOverflow));
  await tab.emulateMedia({ media: 'screen' });
  await tab.setViewportSize(WINDOWS.wide);
  return found;
}
