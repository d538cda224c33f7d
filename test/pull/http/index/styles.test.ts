import { describe } from 'vitest';
import { startFolderWeb, type WebStyle } from '../../../support/servers/folder-web.ts';
import type { CannotShow } from '../../cannot-show.ts';
import { serverConformance } from '../../server/server-conformance.ts';
import { supplierIn } from '../../server/supplier.ts';
import { sourceConformance } from '../../source-conformance.ts';
import { index } from '../http-source.ts';

/* Pages of links as web servers write them, and what these say of a file. */

const nginx: WebStyle['line'] = (address, name, { at, size }) =>
  `<a href="${address}">${name}</a>${' '.repeat(20)}${at.toISOString().slice(0, 16)}  ${size}`;
const iis: WebStyle['line'] = (address, name, { at, size }) =>
  `${at.toLocaleDateString('en-US')}  12:00 PM ${size} <A HREF="/out/${address}">${name}</A><br>`;
const script: WebStyle['line'] = (address) => `<tr><td><a href='${address}' class=dl>Download</a></td></tr>`;

const STYLES: [name: string, style: WebStyle, cannotShow: CannotShow][] = [
  ['nginx', { line: nginx, lacks: [] }, []],
  ['IIS, without ETag', { line: iis, lacks: ['ETag'] }, []],
  ['a script that knows GET only', { line: script, lacks: ['HEAD', 'ETag'] }, []],
  ['a proxy that sends in chunks', { line: nginx, lacks: ['Content-Length', 'ranges'] }, ['sizes']],
];

async function start(style: WebStyle) {
  const { page, ...site } = await startFolderWeb(style);
  const source = index(page, { pattern: '*' });
  return { ...site, source, nowhere: index(`${page}nowhere/`) };
}

describe.each(STYLES)('a page of %s', (_, style, cannotShow) => {
  sourceConformance(
    'http (a page of links)',
    async () => {
      const { source, folder, stop } = await start(style);
      const place = source.url.replace(/\/$/u, '');
      return { source, twin: { ...source, url: `${place}/.` }, place, ...supplierIn(folder), close: stop };
    },
    { cannotShow },
  );

  serverConformance('http (a page of links)', false, () => start(style), {
    readOnly: true,
    isDouble: true,
    cannotShow,
  });
});
