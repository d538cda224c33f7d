import { shownPath, type Damage } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { endQuietIfGrown } from '../../ledger/alerts/incident-work.ts';
import { listIncidents, openIncident, raise, reasonOf, recover, reword } from '../../ledger/alerts/incidents.ts';
import { referencesTo, type BlobKind, type Reference } from '../../ledger/maintenance/references.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';

/** What each kind of file is called. */
const BLOB_NAMES: Record<BlobKind, string> = {
  delivery: 'the delivery',
  rows: 'the accepted rows',
  sample: 'the sample of prices and stock',
  issues: 'the issues',
  rejections: 'the rejections',
  dataset: 'the dataset',
  index: 'the index of the dataset',
  errors: 'the .errors file',
  standing: 'the rejections',
  mail: 'the message',
  pushed: 'the file',
};

/** Whose file it is, where it is not a run's. */
const OWNERS: Partial<Record<BlobKind, string>> = {
  errors: 'upload',
  standing: 'intent',
  dataset: 'composition',
  index: 'composition',
  mail: 'mail',
  pushed: 'push',
};

/** A file as people call it: `the accepted rows of run …`. */
export function blobName({ kind, owner }: Pick<Reference, 'kind' | 'owner'>): string {
  return `${BLOB_NAMES[kind]} of ${OWNERS[kind] ?? 'run'} ${owner}`;
}

/**
 * One incident for each feed, or login, that is missing a file which what is live, waits or is at work is made of. What only
 * the past needs is said by the caller that asks for it, and by `verify`.
 */
export async function noteDamage(references: Reference[], damage: Damage, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (const reference of references.filter(({ live }) => live)) {
    const { login, feed, sha256 } = reference;
    // Nothing that is live is made of a mail, and only a mail is of no login.
    if (login === null) continue;
    const what = { kind: 'damaged-archive', login, feed } as const;
    const files = new Set([...filesOf(await openIncident(ctx.ledger.db, what)), sha256]);
    const path = shownPath(ctx.archive.file(sha256));
    const reason = {
      code: 'file-damaged',
      file: blobName(reference),
      path,
      damage,
      more: files.size - 1,
      leaves: false,
    } as const;
    const run = ['rows', 'delivery', 'sample', 'issues', 'rejections'].includes(reference.kind)
      ? reference.owner
      : null;
    const numbers = { files: [...files].join(' '), count: files.size, path, file: reference.kind };
    await raise(ctx.ledger.db, { ...what, run, reason, numbers }, now);
  }
}

/** Says of a feed whose rows are lost everywhere that they leave what is live with the next upload. */
export async function noteLeaving(login: string, feed: string, ctx: Context): Promise<void> {
  const open = await openIncident(ctx.ledger.db, { kind: 'damaged-archive', login, feed });
  if (open === undefined) return;
  const numbers = open.numbers as { files: string; path: string; file: string; leaves?: number };
  if (numbers.leaves === 1) return;
  const reason = { ...(reasonOf(open, 'file-damaged') ?? damageIn(open, numbers)), leaves: true };
  const worse = { ...numbers, leaves: 1 };
  const now = ctx.clock.now();
  await reword(ctx.ledger.db, open.id, { run: open.run, reason, numbers: worse }, now);
  await endQuietIfGrown(ctx.ledger.db, { ...open, numbers: worse }, now);
}

/** What an incident of an earlier version knows of the file: not whether it is damaged or missing. */
function damageIn(open: IncidentRow, { file, path }: { file: string; path: string }) {
  const name = BLOB_NAMES[file as BlobKind];
  return {
    code: 'file-damaged',
    file: name,
    path,
    damage: 'damaged or missing',
    more: filesOf(open).length - 1,
  } as const;
}

/** A file was made again: what was wrong because of it may be over. */
export async function noteMended(references: Reference[], ctx: Context): Promise<void> {
  for (const login of new Set(references.map((reference) => reference.login))) {
    if (login !== null) await endDamage(login, ctx);
  }
}

/** Ends the incidents of a login whose files are whole again, or which nothing that is live needs any more. */
export async function endDamage(login: string, ctx: Context): Promise<void> {
  for (const open of await listIncidents(ctx.ledger.db, { login, kind: 'damaged-archive' })) {
    let lasts = false;
    for (const sha256 of filesOf(open)) lasts ||= await isMissed(sha256, open, ctx);
    if (lasts) continue;
    const text = 'the archived files that it needs are intact again';
    await recover(ctx.ledger.db, { kind: 'damaged-archive', login, feed: open.feed, text }, ctx.clock.now());
  }
}

async function isMissed(sha256: string, { login, feed }: IncidentRow, ctx: Context): Promise<boolean> {
  const needed = (await referencesTo(ctx.ledger.db, sha256)).some(
    (reference) => reference.live && reference.login === login && reference.feed === feed,
  );
  return needed && (await ctx.archive.verify(sha256)) !== 'ok';
}

/** The hashes that an incident is about. */
function filesOf(incident: IncidentRow | undefined): string[] {
  return String(incident?.numbers['files'] ?? '')
    .split(' ')
    .filter((sha256) => sha256 !== '');
}
