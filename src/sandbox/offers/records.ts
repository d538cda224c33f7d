import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Fate } from '../faults/fate.ts';
import { transaction, type Store } from '../store.ts';
import { idBelow, nextId } from './offer-ids.ts';
import { isIndexed, type OfferFacts } from './state.ts';

/** What reading a file to its end has found. */
export type OfferResult = {
  state: 'success' | 'failed' | 'aborted';
  error: string | null;
  rowsRead: number;
  errorRows: number;
  tags: readonly string[];
  delimiter: string | null;
  charset: string | null;
};

/** A received file that asks to become an upload. */
export type NewOffer = Pick<
  OfferFacts,
  | 'login'
  | 'file'
  | 'sourceFile'
  | 'kind'
  | 'askedDelimiter'
  | 'askedCharset'
  | 'createdAt'
  | 'startsAt'
  | 'dueAt'
  | 'fate'
> & {
  scheme: string;
  /** Its id is less than every other. */
  descending: boolean;
};

/** The upload records on disk. Times are epoch milliseconds of the sandbox's clock. */
export type OfferRecords = {
  /** Keeps the upload unless one of the login is unfinished; then answers with that one and keeps nothing. */
  accept: (offer: NewOffer) => { accepted: OfferFacts } | { unfinished: OfferFacts };
  unfinished: (login: string, now: number) => OfferFacts | undefined;
  find: (login: string, id: string) => OfferFacts | undefined;
  /** Newest first; `page` counts from 0. */
  list: (login: string, page: number, size: number) => OfferFacts[];
  /** The last successful upload: the live dataset. */
  live: (login: string, now: number) => OfferFacts | undefined;
  /** The last successful upload that the index knows. */
  indexed: (login: string, now: number) => OfferFacts | undefined;
  /** The file of the last successful upload of each login. */
  liveFiles: () => string[];
  tags: (seq: number) => string[];
  /** Uploads of all logins whose file has not been read to its end. */
  unread: () => OfferFacts[];
  progress: (seq: number, rowsRead: number, at: number) => void;
  conclude: (seq: number, result: OfferResult, at: number) => void;
  /** Removes finished uploads created before the moment, the live one excepted; answers with their files. */
  forget: (login: string, before: number, now: number) => string[];
};

const COLUMNS = `seq, CAST(id AS TEXT) AS id, login, file, source_file AS sourceFile, kind,
  asked_delimiter AS askedDelimiter, asked_charset AS askedCharset, created_at AS createdAt, starts_at AS startsAt,
  due_at AS dueAt, rows_read AS rowsRead, progress_at AS progressAt, verdict AS result, error, error_rows AS errorRows,
  delimiter, charset, finished_at AS finishedAt, fate`;
const UNFINISHED = '(finished_at IS NULL OR finished_at > :now)';

/** The records of the store; new ids continue after the greatest one ever given. */
export function openRecords(store: Store, firstOfferId: string): OfferRecords {
  const { db } = store;
  const select = (rest: string) => {
    const statement = db.prepare(`SELECT ${COLUMNS} FROM offers ${rest}`);
    return {
      get: (values: Record<string, string | number | bigint>) => {
        const row = statement.get(values);
        return row === undefined ? undefined : toFacts(row);
      },
      all: (values: Record<string, string | number | bigint>) => statement.all(values).map(toFacts),
    };
  };
  const unfinished = select(`WHERE login = :login AND ${UNFINISHED} ORDER BY seq DESC LIMIT 1`);
  const byId = select('WHERE login = :login AND id = :id');
  const page = select('WHERE login = :login ORDER BY seq DESC LIMIT :size OFFSET :offset');
  const live = select(`WHERE login = :login AND verdict = 'success' AND NOT ${UNFINISHED} ORDER BY seq DESC LIMIT 1`);
  const successes = select(`WHERE login = :login AND verdict = 'success' AND NOT ${UNFINISHED} ORDER BY seq DESC`);
  const liveFiles = db.prepare(
    `SELECT file FROM offers WHERE seq IN (SELECT max(seq) FROM offers WHERE verdict = 'success' GROUP BY login)`,
  );
  const unread = select('WHERE verdict IS NULL ORDER BY seq');
  const tags = db.prepare('SELECT tag FROM offer_tags WHERE seq = ? ORDER BY tag');
  const progress = db.prepare('UPDATE offers SET rows_read = max(rows_read, ?), progress_at = ? WHERE seq = ?');
  const findLive = (login: string, now: number) => live.get({ login, now });
  return {
    accept: (offer) =>
      transaction(db, () => {
        const open = unfinished.get({ login: offer.login, now: offer.createdAt });
        if (open !== undefined) return { unfinished: open };
        const id = insert(db, offer, BigInt(firstOfferId));
        return { accepted: byId.get({ login: offer.login, id })! };
      }),
    unfinished: (login, now) => unfinished.get({ login, now }),
    find: (login, id) => byId.get({ login, id: BigInt(id) }),
    list: (login, number, size) => page.all({ login, size, offset: BigInt(number) * BigInt(size) }),
    live: findLive,
    indexed: (login, now) => {
      const newest = findLive(login, now);
      if (newest === undefined || isIndexed(newest, now)) return newest;
      return successes.all({ login, now }).find((facts) => isIndexed(facts, now));
    },
    liveFiles: () => liveFiles.all().map(({ file }) => String(file)),
    tags: (seq) => tags.all(seq).map((row) => String(row['tag'])),
    unread: () => unread.all({}),
    progress: (seq, rowsRead, at) => void progress.run(rowsRead, at, seq),
    conclude: (seq, result, at) => transaction(db, () => conclude(db, seq, result, at)),
    forget: (login, before, now) =>
      transaction(db, () => forget(db, { login, before, now, keep: findLive(login, now)?.seq ?? 0 })),
  };
}

function toFacts(row: Record<string, SQLOutputValue>): OfferFacts {
  const fate = row['fate'] === null ? null : (JSON.parse(String(row['fate'])) as Fate);
  return { ...(row as unknown as OfferFacts), fate };
}

function insert(db: DatabaseSync, offer: NewOffer, firstId: bigint): bigint {
  const id = (offer.descending ? idBelow(db) : null) ?? nextId(db, firstId);
  db.prepare('INSERT OR IGNORE INTO logins (id, scheme, first_seen) VALUES (?, ?, ?)').run(
    offer.login,
    offer.scheme,
    offer.createdAt,
  );
  db.prepare(
    `INSERT INTO offers (id, login, file, source_file, kind, asked_delimiter, asked_charset, created_at, starts_at, due_at, fate)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    id,
    offer.login,
    offer.file,
    offer.sourceFile,
    offer.kind,
    offer.askedDelimiter,
    offer.askedCharset,
    offer.createdAt,
    offer.startsAt,
    offer.dueAt,
    offer.fate === null ? null : JSON.stringify(offer.fate),
  );
  return id;
}

function conclude(db: DatabaseSync, seq: number, result: OfferResult, at: number): void {
  db.prepare(
    `UPDATE offers SET verdict = ?, error = ?, rows_read = ?, error_rows = ?, delimiter = ?, charset = ?,
       progress_at = ?, finished_at = max(due_at, ?) WHERE seq = ?`,
  ).run(result.state, result.error, result.rowsRead, result.errorRows, result.delimiter, result.charset, at, at, seq);
  const insertTag = db.prepare('INSERT OR IGNORE INTO offer_tags (seq, tag) VALUES (?, ?)');
  for (const tag of result.tags) insertTag.run(seq, tag);
}

function forget(db: DatabaseSync, what: { login: string; before: number; now: number; keep: number }): string[] {
  const gone: Record<string, SQLOutputValue>[] = db
    .prepare(
      `DELETE FROM offers WHERE login = :login AND created_at < :before AND seq <> :keep AND NOT ${UNFINISHED}
       RETURNING file`,
    )
    .all(what);
  return gone.map((row) => String(row['file']));
}
