import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { OfferlineError } from '../../../errors.ts';
import { findUpload } from '../../../ledger/uploads/uploads.ts';
import { html, type Part } from '../../../wording/html.ts';
import { MAY, type Answer } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';

/** What a dossier can be had as, with what HTTP calls it. */
export const DOSSIER_TYPES = { md: 'text/markdown; charset=utf-8', zip: 'application/zip' } as const;

export type DossierType = keyof typeof DOSSIER_TYPES;

/** The dossier of the upload of an address, as the page links to it: `dossier.md` or `dossier.zip`. */
export async function downloadDossier(visit: Visit): Promise<Answer> {
  const name = visit.params['file'] ?? '';
  const [, type] = /^dossier\.(md|zip)$/u.exec(name) ?? [];
  if (type === undefined) throw new OfferlineError('not-found', `There is no ${name} of an upload.`);
  return dossierFile(type as DossierType, { offline: visit.url.searchParams.get('offline') === 'yes' }, visit);
}

/** The dossier of the upload of an address as a file; nothing of it stays on the disk. `offline`: the service is not asked for it. */
export async function dossierFile(type: DossierType, { offline }: { offline: boolean }, visit: Visit): Promise<Answer> {
  const { ctx, params, call, request } = visit;
  const { id } = await findUpload(ctx.ledger.db, params['upload'] ?? '');
  const { folder, markdown, zip } = await call('writeDossier', { upload: id, offline });
  const path = type === 'md' ? markdown : zip;
  try {
    const { size } = await stat(path);
    const file = createReadStream(path);
    await once(file, 'open');
    // Nobody may be there to read it any more.
    request.signal.addEventListener('abort', () => file.destroy(), { once: true });
    if (request.signal.aborted) file.destroy();
    return {
      file: Readable.toWeb(file) as ReadableStream<Uint8Array>,
      name: basename(path),
      type: DOSSIER_TYPES[type],
      bytes: size,
    };
  } finally {
    // A file that is open can be read to its end.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the dossier of an upload can be had, for those who may have the service asked. */
export function dossierLinks(upload: string, visit: Visit): Part {
  if (!mayDo(MAY.operate, visit)) return null;
  const { say } = visit.language;
  const address = `/uploads/${upload}/dossier`;
  return html`<h2>${say('web.dossier.title')}</h2>
    <p class="soft">${say('web.dossier.says')} <a href="/docs/service-figures">${say('web.why')}</a></p>
    <p>
      <a href="${address}.md">${say('web.dossier.text')}</a> · <a href="${address}.zip">${say('web.dossier.zip')}</a> ·
      <a href="${address}.zip?offline=yes">${say('web.dossier.offline')}</a>
    </p>`;
}
