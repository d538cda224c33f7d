import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openBrowser } from '../../scripts/shots/browser.ts';
import { examine } from '../../scripts/shots/examine.ts';
import { pagesOf, type ShownPage } from '../../scripts/shots/scenes.ts';
import { languages } from '../../src/wording/language/language.ts';
import { atEnd } from '../support/at-end.ts';
import { lacks } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Every third page of each language in each third of the matrices, all of them in `npm run test:long`. */
const WISH = process.env['OFFERLINE_FAULTS'] ?? 'third-0';
const isPlayed = (_page: ShownPage, at: number) => WISH === 'all' || WISH === `third-${at % 3}`;

// Without a Chromium nobody can say how a page looks.
describe.skipIf(lacks('chromium-headless-shell') && findChromium() === undefined)('in a browser', () => {
  let browser: Browser;
  let pages: ShownPage[];
  beforeAll(async () => {
    browser = await openBrowser(findChromium() ?? 'chromium-headless-shell');
    atEnd(() => browser.close());
    pages = await pagesOf(tempFolder(), languages());
  }, 600_000);

  const report = (body: string) => ({
    of: 'report' as const,
    html: `<!doctype html><html lang="en"><title>A report</title><main><h1>A report</h1>${body}</main></html>`,
  });

  test.each([
    { what: 'nothing of a good page', body: '<p>All rows are live.</p>', found: [] },
    {
      what: 'a picture from elsewhere',
      body: '<img src="https://cdn.example/a.png" alt="">',
      found: ['loads https://cdn'],
    },
    { what: 'a picture without words', body: '<img src="data:,">', found: ['image-alt'] },
    { what: 'grey on grey', body: '<p style="color: #999; background: #bbb">rows</p>', found: ['color-contrast'] },
    {
      what: 'what is wider than a phone',
      body: '<p style="width: 600px">rows</p>',
      found: ['phone: 6\\d\\d px wide in a window of 390: <p style'],
    },
    {
      what: 'a table wider than paper',
      body: '<table><tr><td><div style="width: 900px">a</div></table>',
      found: ['print: 9'],
    },
    { what: 'too much paper', body: '<p style="height: 5000px">rows</p>', found: ['print: 5 sheets'] },
    {
      what: 'a card on two sheets',
      body: '<p style="height: 800px">rows</p><div class="cause"><p style="height: 400px">first</p>last</div>',
      found: ['split over two sheets: first'],
    },
  ])('the examination finds $what', async ({ body, found }) => {
    const findings = await examine(browser, report(body));
    for (const finding of found) expect(findings.join('\n')).toMatch(new RegExp(finding));
    expect(findings.length > 0).toBe(found.length > 0);
  });

  test('axe runs in a page that forbids every script', async () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;
    expect((await examine(browser, report(`${policy}<img>`))).join('\n')).toMatch(/image-alt/);
  });

  test.each(languages())(
    'mails and reports of an invented shop are accessible, load nothing and fit phones and paper: %s',
    async (language) => {
      const findings: string[] = [];
      const shown = pages.filter((page) => page.language === language).filter(isPlayed);
      expect(new Set(shown.map(({ of }) => of))).toEqual(new Set(['mail', 'report']));
      for (const page of shown) {
        const found = await examine(browser, page);
        findings.push(...found.map((finding) => `${page.kind} ${page.of}, ${finding}`));
      }
      expect(findings).toEqual([]);
    },
    600_000,
  );
});
