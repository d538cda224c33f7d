import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type Page as Tab } from 'playwright-core';

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** How a page is looked at; widths and heights are CSS pixels. */
export const LOOKS = {
  wide: { width: 1280, height: 900, colorScheme: 'light' },
  phone: { width: 390, height: 844, colorScheme: 'light' },
  dark: { width: 1280, height: 900, colorScheme: 'dark' },
} as const;

/** One of these. */
export type Look = keyof typeof LOOKS;

/** The Chromium of `CHROMIUM`, else the first on the PATH; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['CHROMIUM'] ?? '';
  if (named !== '') return named;
  const folders = (env['PATH'] ?? '').split(delimiter);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts Chromium; throws when it cannot. */
export function openBrowser(executablePath: string): Promise<Browser> {
  // Where the shell names no locale Chromium would save no file under a name beyond ASCII.
  return chromium.launch({ executablePath, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}

/** Opens a page, with axe beside it, and closes it after use. `asked`: the addresses it asked for; none is answered. */
export async function withTab<T>(
  browser: Browser,
  { html, look }: { html: string; look: Look },
  use: (tab: Tab, asked: string[]) => Promise<T>,
): Promise<T> {
  const { width, height, colorScheme } = LOOKS[look];
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true });
  const asked: string[] = [];
  try {
    await context.addInitScript({ content: await axeSource() });
    const tab = await context.newPage();
    tab.on('request', (request) => {
      if (!request.url().startsWith('data:')) asked.push(request.url());
    });
    await tab.setContent(html, { waitUntil: 'load' });
    return await use(tab, asked);
  } finally {
    await context.close();
  }
}

let source: Promise<string> | undefined;

/** The source of axe, to be evaluated in a page. */
export function axeSource(): Promise<string> {
  return (source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
}
