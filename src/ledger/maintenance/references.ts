import { sql } from 'kysely';
import { accountsIn } from '../schema/schema.ts';
import { lastVerified, latestAccepted } from '../uploads/accepted-uploads.ts';
import { openIntent } from '../uploads/intents.ts';
import type { Db } from '../ledger.ts';

/** What a file of the archive is to the ledger. */
export type BlobKind =
  | 'delivery'
  | 'rows'
  | 'sample'
  | 'issues'
  | 'rejections'
  | 'dataset'
  | 'index'
  | 'errors'
  | 'standing'
  | 'mail'
  | 'pushed';

/**
 * A place of the ledger that names a file of the archive. `owner`: the id of its run, dataset, upload, intent, mail or push; `standing` are the rejected rows of a feed in
 * what an intent made live, also of one that delivered nothing then. `login`: null of a mail
 * that is about no run. `live`: what is live, waits or is at work needs it.
 */
export type Reference = {
  sha256: string;
  kind: BlobKind;
  owner: string;
  login: string | null;
  feed: string | null;
  live: boolean;
};

/** Every place that names a file or, with null, that names any file at all; what was pruned is no longer named. */
export async function referencesTo(db: Db, sha256: string | null): Promise<Reference[]> {
  const found = [
    ...(await ofRuns(db, sha256)),
    ...(await ofDatasets(db, sha256)),
    ...(await ofUploads(db, sha256)),
    ...(await ofAccounts(db, sha256)),
    ...(await ofMails(db, sha256)),
    ...(await ofPushes(db, sha256)),
  ];
  const logins = found.map(({ login }) => login).filter((login) => login !== null);
  const needed = await neededIds(db, new Set(logins));
  return found.map((reference) => Object.assign(reference, { live: needed.has(reference.owner) }));
}

type Found = Omit<Reference, 'live'>;

async function ofRuns(db: Db, sha256: string | null): Promise<Found[]> {
  const columns = ['delivery_sha', 'rows_sha', 'sample_sha', 'issues_sha', 'rejections_sha'] as const;
  let query = db.selectFrom('runs').select(['id', 'login', 'feed', 'bytes_pruned_at', 'reports_pruned_at', ...columns]);
  if (sha256 !== null) query = query.where((eb) => eb.or(columns.map((column) => eb(column, '=', sha256))));
  const named = (run: Awaited<ReturnType<typeof query.execute>>[number]) => [
    ...(run.bytes_pruned_at === null
      ? [
          { kind: 'delivery', sha: run.delivery_sha } as const,
          { kind: 'rows', sha: run.rows_sha } as const,
          { kind: 'sample', sha: run.sample_sha } as const,
        ]
      : []),
    ...(run.reports_pruned_at === null
      ? [{ kind: 'issues', sha: run.issues_sha } as const, { kind: 'rejections', sha: run.rejections_sha } as const]
      : []),
  ];
  return (await query.orderBy('created_at', 'desc').execute()).flatMap((run) =>
    only(named(run), sha256, { owner: run.id, login: run.login, feed: run.feed }),
  );
}

async function ofDatasets(db: Db, sha256: string | null): Promise<Found[]> {
  let query = db.selectFrom('datasets').select(['id', 'login', 'sha256', 'index_sha']).where('pruned_at', 'is', null);
  if (sha256 !== null) query = query.where((eb) => eb.or([eb('sha256', '=', sha256), eb('index_sha', '=', sha256)]));
  return (await query.orderBy('created_at', 'desc').execute()).flatMap((dataset) => {
    const named = [
      { kind: 'dataset', sha: dataset.sha256 } as const,
      { kind: 'index', sha: dataset.index_sha } as const,
    ];
    return only(named, sha256, { owner: dataset.id, login: dataset.login, feed: null });
  });
}

async function ofUploads(db: Db, sha256: string | null): Promise<Found[]> {
  let query = db.selectFrom('uploads').select(['id', 'login', 'errors_sha']).where('errors_sha', 'is not', null);
  if (sha256 !== null) query = query.where('errors_sha', '=', sha256);
  return (await query.orderBy('created_at', 'desc').execute()).flatMap(({ id, login, errors_sha }) =>
    only([{ kind: 'errors', sha: errors_sha }], sha256, { owner: id, login, feed: null }),
  );
}

/** As long as the dataset of an intent is kept. */
async function ofAccounts(db: Db, sha256: string | null): Promise<Found[]> {
  let query = db
    .selectFrom('intents')
    .innerJoin('datasets', 'datasets.id', 'intents.dataset')
    .select(['intents.id', 'intents.login', 'intents.accounts'])
    .where('datasets.pruned_at', 'is', null)
    .where('intents.accounts', 'is not', null);
  if (sha256 !== null) query = query.where(sql<boolean>`intents.accounts like ${`%${sha256}%`}`);
  return (await query.orderBy('intents.created_at', 'desc').execute()).flatMap((intent) =>
    [...(accountsIn(intent) ?? [])].flatMap(([feed, { rejections }]) =>
      only([{ kind: 'standing', sha: rejections?.sha256 ?? null }], sha256, {
        owner: intent.id,
        login: intent.login,
        feed,
      }),
    ),
  );
}

async function ofMails(db: Db, sha256: string | null): Promise<Found[]> {
  let query = db
    .selectFrom('mails')
    .leftJoin('runs', 'runs.id', 'mails.run')
    .select(['mails.id', 'mails.message_sha', 'runs.login', 'runs.feed'])
    .where('message_sha', 'is not', null);
  if (sha256 !== null) query = query.where('message_sha', '=', sha256);
  return (await query.orderBy('mails.at', 'desc').execute()).flatMap(({ id, message_sha, login, feed }) =>
    only([{ kind: 'mail', sha: message_sha }], sha256, { owner: id, login, feed }),
  );
}

async function ofPushes(db: Db, sha256: string | null): Promise<Found[]> {
  let query = db.selectFrom('pushed').select(['id', 'login', 'feed', 'sha256']);
  if (sha256 !== null) query = query.where('sha256', '=', sha256);
  const named = (row: { sha256: string }) => [{ kind: 'pushed', sha: row.sha256 } as const];
  return (await query.orderBy('at', 'desc').execute()).flatMap((row) =>
    only(named(row), sha256, { owner: row.id, login: row.login, feed: row.feed }),
  );
}

function only(
  named: { kind: BlobKind; sha: string | null }[],
  sha256: string | null,
  of: Pick<Reference, 'owner' | 'login' | 'feed'>,
): Found[] {
  return named.flatMap(({ kind, sha }) =>
    sha === null || (sha256 !== null && sha !== sha256) ? [] : [{ ...of, kind, sha256: sha }],
  );
}

/** The ids of runs, datasets and uploads that what is live, waits or is at work is made of. */
async function neededIds(db: Db, logins: Set<string>): Promise<Set<string>> {
  const feeds = await db.selectFrom('feeds').select(['candidate', 'contribution', 'head']).execute();
  const stages = ['pull', 'read', 'compose', 'upload'] as const;
  const open = await db
    .selectFrom('runs')
    .select('id')
    .where('stage', 'in', [...stages])
    .execute();
  const ids: (string | null)[] = [
    ...feeds.flatMap(({ candidate, contribution, head }) => [candidate, contribution, head]),
    ...open.map(({ id }) => id),
  ];
  for (const login of logins) {
    for (const good of [await lastVerified(db, login), await latestAccepted(db, login)]) {
      if (good !== undefined) ids.push(good.dataset.id, good.upload.id, good.intent.id);
    }
    ids.push((await openIntent(db, login))?.dataset ?? null);
  }
  return new Set(ids.filter((id) => id !== null));
}
