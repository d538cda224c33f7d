import type { DatabaseSync } from 'node:sqlite';
import { transaction, type Store } from '../store.ts';

/** A vehicle that a login has identified. Times are epoch milliseconds of the sandbox's clock. */
export type AutoInfo = {
  id: number;
  /** Its row in the reference database. */
  vehicle: number;
  createdAt: number;
  /** When it was asked to be indexed, and when that is done; null: not asked yet. */
  queuedAt: number | null;
  dueAt: number | null;
};

/** What a client sees of it at one moment. */
export type AutoInfoState = {
  state: 'created' | 'queued' | 'success';
  processingStage: 'identified' | 'indexed';
  updatedTime: number;
};

/** The vehicles of each login, on disk. */
export type AutoInfos = {
  /** Those of these vehicles, made where the login has none yet, in the same order. */
  identify: (login: string, vehicles: readonly number[], now: number) => AutoInfo[];
  find: (login: string, id: number) => AutoInfo | undefined;
  /** Newest first; `page` counts from 0. */
  list: (login: string, page: number, size: number) => AutoInfo[];
  count: (login: string) => number;
  /** Those that the login has of these vehicles. */
  of: (login: string, vehicles: readonly number[]) => AutoInfo[];
  /** Puts it into the queue, unless it has been there before. */
  queue: (info: AutoInfo, now: number, dueAt: number) => AutoInfo;
};

const FIRST_ID = 700_001;
const COLUMNS = 'id, vehicle, created_at AS createdAt, queued_at AS queuedAt, due_at AS dueAt';

/** The state at `now`: nothing runs, a vehicle is indexed as soon as its time has come. */
export function autoInfoState({ createdAt, queuedAt, dueAt }: AutoInfo, now: number): AutoInfoState {
  if (queuedAt === null || dueAt === null)
    return { state: 'created', processingStage: 'identified', updatedTime: createdAt };
  if (now < dueAt) return { state: 'queued', processingStage: 'identified', updatedTime: queuedAt };
  return { state: 'success', processingStage: 'indexed', updatedTime: dueAt };
}

/** The vehicles of the store. */
export function openAutoInfos({ db }: Pick<Store, 'db'>): AutoInfos {
  const byVehicle = db.prepare(`SELECT ${COLUMNS} FROM auto_infos WHERE login = ? AND vehicle = ?`);
  const byId = db.prepare(`SELECT ${COLUMNS} FROM auto_infos WHERE login = ? AND id = ?`);
  const page = db.prepare(`SELECT ${COLUMNS} FROM auto_infos WHERE login = ? ORDER BY id DESC LIMIT ? OFFSET ?`);
  const count = db.prepare('SELECT count(*) AS n FROM auto_infos WHERE login = ?');
  const queue = db.prepare('UPDATE auto_infos SET queued_at = ?, due_at = ? WHERE id = ? AND queued_at IS NULL');
  const of = (login: string, vehicles: readonly number[]) =>
    vehicles.flatMap((vehicle) => byVehicle.all(login, vehicle) as AutoInfo[]);
  return {
    identify: (login, vehicles, now) =>
      transaction(db, () => {
        for (const vehicle of vehicles) add(db, login, vehicle, now);
        return of(login, vehicles);
      }),
    find: (login, id) => byId.get(login, id) as AutoInfo | undefined,
    list: (login, number, size) => page.all(login, size, BigInt(number) * BigInt(size)) as AutoInfo[],
    count: (login) => Number(count.get(login)?.['n']),
    of,
    queue: (info, now, dueAt) => {
      if (info.queuedAt !== null) return info;
      queue.run(now, dueAt, info.id);
      return { ...info, queuedAt: now, dueAt };
    },
  };
}

function add(db: DatabaseSync, login: string, vehicle: number, now: number): void {
  db.prepare(
    `INSERT INTO auto_infos (id, login, vehicle, created_at)
     SELECT coalesce(max(id) + 1, ${FIRST_ID}), ?, ?, ? FROM auto_infos WHERE true ON CONFLICT (login, vehicle) DO NOTHING`,
  ).run(login, vehicle, now);
}
