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
  return dossierFile(type as DossierType, visit);
}

/** The dossier of the upload of an address as a file; its folder goes once it was sent, or nobody wants it any more. */
export async function dossierFile(type: DossierType, { ctx, params, call }: Visit): Promise<Answer> {
  const { id } = await findUpload(ctx.ledger.db, params['upload'] ?? '');
  const { folder, markdown, zip } = await call('writeDossier', { upload: id });
  const path = type === 'md' ? markdown : zip;
  const { size } = await stat(path);
  const file = createReadStream(path).once('close', () => void rm(folder, { recursive: true, force: true }));
  return {
    file: Readable.toWeb(file) as ReadableStream<Uint8Array>,
    name: basename(path),
    type: DOSSIER_TYPES[type],
    bytes: size,
  };
}

/** Where the dossier of an upload can be had, for those who may have the service asked. */
export function dossierLinks(upload: string, visit: Visit): Part {
  if (!mayDo(MAY.operate, visit)) return null;
  const { say } = visit.language;
  return html`<h2>${say('web.dossier.title')}</h2>
    <p class="soft">${say('web.dossier.says')} <a href="/docs/service-figures">${say('web.why')}</a></p>
    <p>
      <a href="/uploads/${upload}/dossier.md" download>${say('web.dossier.text')}</a> ·
      <a href="/uploads/${upload}/dossier.zip" download>${say('web.dossier.zip')}</a>
    </p>`;
}
