// Pictures of every kind of mail and report, and of every page of the console: `npm run shots`, or `npm run shots -- de` for
// one language. An invented shop works for nine days in the sandbox; each page is shown in Chromium at 1280 and 390 pixels,
// dark, and (mails and reports) printed on A4, and examined on the way. Findings are listed, and the exit status is 1 when
// there are any.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { html } from '../src/wording/html.ts';
import { languages } from '../src/wording/language/language.ts';
import { findChromium, openBrowser } from './shots/browser.ts';
import { pictureConsole, type Keep } from './shots/console.ts';
import { examine } from './shots/examine.ts';
import { pagesOf } from './shots/scenes.ts';
import type { Shop } from './shots/shop.ts';

const FOLDER = fileURLToPath(new URL('../.offerline/shots/', import.meta.url));
/** Pictures show its path: the same everywhere. */
const SHOP = '/tmp/offerline-shop';

const program = findChromium();
if (program === undefined) {
  console.error(
    'There is no Chromium: install it ("apt-get install chromium-headless-shell" on Debian), or set CHROMIUM to the path of one.',
  );
  process.exitCode = 1;
} else {
  await takePictures(program, process.argv.length > 2 ? process.argv.slice(2) : languages());
}

async function takePictures(chromium: string, wanted: string[]): Promise<void> {
  for (const folder of [FOLDER, SHOP]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  const browser = await openBrowser(chromium);
  const names: string[] = [];
  const tell = (name: string, found: string[]) => {
    names.push(name);
    console.log(`${name}: ${found.length === 0 ? 'ok' : ''}${found.map((finding) => `\n  ${finding}`).join('')}`);
    if (found.length > 0) process.exitCode = 1;
  };
  try {
    console.error('An invented shop works for nine days; then come the pictures …');
    const keep: Keep = {
      picture: (name, look, png) => writeFile(join(FOLDER, `${name}-${look}.png`), png),
      findings: tell,
    };
    const visit = (shop: Shop) => pictureConsole(browser, shop, wanted, keep);
    for (const page of await pagesOf(SHOP, wanted, visit)) {
      const name = `${page.kind}-${page.of}-${page.language}`;
      const found = await examine(browser, page, async (look, bytes) => {
        const file = join(FOLDER, `${name}-${look}.${look === 'print' ? 'pdf' : 'png'}`);
        await writeFile(file, bytes);
        if (look === 'print') await pictureOfPaper(file);
      });
      tell(name, found);
    }
  } finally {
    await browser.close();
  }
  await writeFile(join(FOLDER, 'index.html'), overview(names));
  console.log(`\n${names.length} pages: ${FOLDER}index.html`);
}

/** Draws the sheets of a PDF side by side with it, where poppler is installed. */
async function pictureOfPaper(pdf: string): Promise<void> {
  try {
    await promisify(execFile)('pdftoppm', ['-png', '-r', '60', pdf, pdf.replace(/\.pdf$/, '')]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function overview(names: string[]): string {
  const pictures = (name: string) =>
    ['wide', 'dark', 'phone'].map(
      (look) => html`<img src="${name}-${look}.png" alt="${look}" height="500" loading="lazy" /> `,
    );
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>Mails, reports and the console</title>
      ${names.map(
        (name) =>
          html`<h2>${name} ${!name.startsWith('console-') && html`<a href="${name}-print.pdf">print</a>`}</h2>
            ${pictures(name)}`,
      )}
    </html>`.markup;
}
