/**
 * Writes the documentation as a site of plain files: `npm run docs -- [FOLDER]` (dist/docs). The pages are those that the console shows under /docs,
 * with their pictures and style; any server of files can serve them, and a browser opens them from the disk.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { docPages, docPicture, docPictures, type DocPage } from '../src/documentation/page.ts';
import { renderPage, type Addresses } from '../src/documentation/render.ts';
import { STYLE } from '../src/report/page/style.ts';
import { html, type Html } from '../src/wording/html.ts';

const STYLESHEET = 'style.css';

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/docs'));
rmSync(folder, { recursive: true, force: true });
for (const page of docPages().values()) write(`${page.name}.html`, `${documentOf(page).markup}\n`);
write('index.html', `${indexPage().markup}\n`);
write(STYLESHEET, STYLE);
for (const name of docPictures()) write(`pictures/${name}`, docPicture(name));
console.log(`${docPages().size} pages in ${folder}`);

function write(file: string, content: string | Buffer): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function documentOf(page: DocPage): Html {
  const up = '../'.repeat(page.name.split('/').length - 1);
  const addresses: Addresses = { page: (name) => `${up}${name}.html`, picture: (name) => `${up}pictures/${name}` };
  const nav = html`<p><a href="${up}index.html">All pages</a></p>`;
  return frame(page.title, up, html`${nav}${renderPage(page, addresses)}`);
}

function indexPage(): Html {
  const listed = [...docPages().values()].map(
    ({ name, title }) => html`<li><a href="${posix.normalize(name)}.html">${title}</a></li>`,
  );
  return frame(
    'Documentation',
    '',
    html`<h1>offerline</h1>
      <ul>
        ${listed}
      </ul>`,
  );
}

function frame(title: string, up: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · offerline</title>
        <link rel="stylesheet" href="${up}${STYLESHEET}" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}
