import type { Page as Tab } from 'playwright-core';
import { axeSource } from './browser.ts';
import { violations } from './examine.ts';
import { findOverflow, unfold } from './in-page.ts';

/** How a page of the console is looked at. At 200 % zoom a window of 1280 pixels has 640 left. */
const WINDOWS = {
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
  const found = await findTooWide(tab);
  await tab.evaluate(await axeSource());
  const judge = async (look: string) => {
    for (const finding of await violations(tab, 'console')) found.push(`${look}: ${finding}`);
  };
  await judge('wide');
  await tab.emulateMedia({ colorScheme: 'dark' });
  await judge('dark');
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.setViewportSize(WINDOWS.phone);
  await judge('phone');
  await tab.setViewportSize(WINDOWS.wide);
  return found;
}

/**
 * What of an open page, unfolded, stands out of the window to the right, or of the sheet; the window is wide afterwards.
 *
 * @internal exported for tests
 */
export async function findTooWide(tab: Tab): Promise<string[]> {
  const found: string[] = [];
  const measure = async (look: string, size: { width: number; height: number }) => {
    await tab.setViewportSize(size);
    for (const finding of await tab.evaluate(findOverflow)) found.push(`${look}: ${finding}`);
  };
  await tab.evaluate(unfold);
  await tab.emulateMedia({ media: 'print' });
  await measure('print', PAPER);
  await tab.emulateMedia({ media: 'screen' });
  for (const [look, size] of Object.entries(WINDOWS)) await measure(look, size);
  return found;
}
