import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stringify } from 'csv-stringify/sync';
import { ZipFile } from 'yazl';
import { keptBytes, type KeptFile } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { replaceFile } from '../../io/replace-file.ts';
import { offerOf, type CallRow, type UploadRow } from '../../ledger/schema/schema.ts';
import { redact, redactDeep, redactForeign } from '../../wording/redact.ts';
import { dossierText, type PackedFile } from './dossier-text.ts';
import type { Dossier } from './gather-dossier.ts';
import { dictionary } from '../../io/dictionary.ts';

/** Where a dossier was written, and the files that its zip has or lacks. */
export type WrittenDossier = { markdown: string; zip: string; files: PackedFile[] };

/** What no people of a service need: how we wait, and what other uploads there were. */
const OURS = ['marks', 'looks', 'waits', 'next_at', 'wait_ms', 'watched_ms'];

const CALL_COLUMNS = ['upload', 'request', 'reply', 'ms', 'operation', 'status', 'requestId', 'error'];

/** Writes `NAME.md` and `NAME.zip` into a folder; the zip has the text, the facts as JSON and CSV, what was sent and the `.errors` file. */
export async function writeDossier(dossier: Dossier, folder: string, ctx: Context): Promise<WrittenDossier> {
  const { upload, dataset, name } = dossier;
  const sent = `sent/offerline-${upload.login}-${upload.token}.${offerOf(dataset).layout}`;
  const files = [await packed(nameInZip(sent), dataset.sha256, ctx)];
  if (upload.errors_sha !== null) {
    files.push(await packed(nameInZip(`sent/${upload.offer_id ?? upload.id}.errors`), upload.errors_sha, ctx));
  }
  const text = redact(dossierText(dossier, files));
  const markdown = join(folder, `${name}.md`);
  const zip = join(folder, `${name}.zip`);
  await replaceFile(markdown, [text]);
  await replaceFile(zip, zipOf(dossier, text, files, ctx));
  return { markdown, zip, files };
}

function zipOf(dossier: Dossier, text: string, files: PackedFile[], ctx: Context): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // Its output would never end.
  zip.on('error', (error: Error) => output.destroy(error));
  // Whoever reads the output is told; it may fail before it is read.
  output.on('error', () => undefined);
  zip.addBuffer(Buffer.from(text), `${dossier.name}.md`);
  zip.addBuffer(Buffer.from(`${JSON.stringify(recordOf(dossier, files), null, 2)}\n`), 'record.json');
  zip.addBuffer(Buffer.from(csvOf([...dossier.calls, ...dossier.otherFailures])), 'calls.csv');
  for (const { name, sha256, why } of files) {
    if (why !== null) continue;
    zip.addReadStreamLazy(name, (give) => {
      const stream = Readable.from(keptBytes(ctx.archive.file(sha256)), { objectMode: false });
      stream.on('error', (error) => output.destroy(error));
      give(null, stream);
    });
  }
  zip.end();
  return output;
}

function recordOf({ intent, dataset, ...dossier }: Dossier, files: PackedFile[]) {
  const { rows, bytes, sha256, parts, offer } = dataset;
  const { receipt, rejected_rows, result, cause } = intent;
  const shown = { rows, bytes, sha256, offer, parts: parts.map(({ rows: count }) => ({ rows: count })) };
  const { calls: _calls, otherFailures: _others, upload, attempts, ...facts } = dossier;
  const decision = { cause, result, receipt, rejectedRows: rejected_rows };
  const uploads = { upload: theirs(upload), attempts: attempts.map(theirs) };
  return redactDeep({ ...facts, ...uploads, sent: shown, decision, files }, redactForeign);
}

function theirs(upload: UploadRow): Partial<UploadRow> {
  return dictionary(Object.entries(upload).filter(([column]) => !OURS.includes(column)));
}

function csvOf(calls: CallRow[]): string {
  const iso = (at: number) => new Date(at).toISOString();
  const rows = calls.map(({ upload, at, ms, operation, status, request_id, error }) => [
    upload,
    iso(at),
    iso(at + ms),
    ms,
    operation,
    status,
    request_id === null ? null : redactForeign(request_id),
    error === null ? null : redactForeign(error),
  ]);
  return stringify([CALL_COLUMNS, ...rows], { record_delimiter: 'windows', escape_formulas: true });
}

/** A name of plain characters in a folder of the zip: neither a path to elsewhere nor one that a system refuses. */
function nameInZip(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_./-]+/gu, '-').replaceAll('..', '-');
}

/** A file of the archive as the zip will have it, or why not. */
async function packed(name: string, sha256: string, ctx: Context): Promise<PackedFile> {
  const state = await ctx.archive.verify(sha256);
  if (state !== 'ok') return { name, sha256, bytes: null, why: `the archive has it no more (${state})` };
  const { bytes, isClean } = await read(ctx.archive.file(sha256));
  return { name, sha256, bytes, why: isClean ? null : 'a credential stands in it' };
}

/** A credential may begin in one chunk and end in the next. */
const OVERLAP = 4096;

/** How large a file is, and whether no credential of ours stands in it. */
async function read(file: KeptFile): Promise<{ bytes: number; isClean: boolean }> {
  let bytes = 0;
  let before = '';
  const decoder = new StringDecoder('utf8');
  for await (const chunk of keptBytes(file)) {
    bytes += chunk.length;
    // In UTF-16 each letter of a credential has a zero beside it.
    const text = before + decoder.write(chunk).replaceAll('\0', '');
    if (redact(text) !== text) return { bytes, isClean: false };
    before = text.slice(-OVERLAP);
  }
  return { bytes, isClean: true };
}
