import type { SQLOutputValue } from 'node:sqlite';
import type { Login } from './logins.ts';
import type { Store } from './store.ts';

/** What became of an upload that reached the service. */
type Outcome = 'receiving' | 'accepted' | 'refused' | 'broken-off';

/** One upload as it reached the service, for tests and rehearsals. Times are epoch milliseconds of the sandbox's clock. */
export type ArrivalView = {
  arrival: number;
  login: { id: string; name: string };
  /** `client`, or which fault made the upload. */
  by: string;
  file: string | null;
  /** Bytes of the file that were received. */
  bytes: number;
  outcome: Outcome;
  startedAt: number;
  endedAt: number | null;
  acceptedAt: number | null;
  offerId: string | null;
  /** Of a refusal. */
  status: number | null;
  code: string | null;
  /** The faults that it met. */
  faults: string[];
};

/** What is recorded while an upload arrives; `end` says how the call ended. */
export type OpenArrival = {
  file: string | null;
  bytes: number;
  accepted: (offerId: string, at: number) => void;
  end: (how: Ending) => void;
};

/** For a call that is not an upload: nothing is recorded. */
export const UNNOTED: OpenArrival = { file: null, bytes: 0, accepted: () => undefined, end: () => undefined };

/** A record of everything that was uploaded, or tried to be; the newest entries are kept. */
export type Arrivals = {
  /** Records one upload from its beginning to its end. */
  open: (login: Login, by: string, at: number) => OpenArrival;
  all: () => ArrivalView[];
};

type Ending = { at: number; refusal?: { status: number; code: string }; faults: string[] };

const KEPT = 10_000;

/** Opens the record of a data folder. Uploads that were arriving when an earlier process ended have been aborted. */
export function openArrivals({ db }: Store): Arrivals {
  db.exec(`UPDATE arrivals SET outcome = 'broken-off' WHERE outcome = 'receiving'`);
  const insert = db.prepare(
    `INSERT INTO arrivals (login, name, by_whom, outcome, started_at) VALUES (?, ?, ?, 'receiving', ?) RETURNING seq`,
  );
  const forget = db.prepare('DELETE FROM arrivals WHERE seq <= ?');
  const accept = db.prepare(
    `UPDATE arrivals SET outcome = 'accepted', file = ?, bytes = ?, offer_id = ?, accepted_at = ? WHERE seq = ?`,
  );
  const finish = db.prepare(
    `UPDATE arrivals SET file = ?, bytes = ?, ended_at = ?, status = ?, code = ?, faults = ?,
       outcome = CASE outcome WHEN 'accepted' THEN outcome ELSE ? END WHERE seq = ?`,
  );
  const select = db.prepare('SELECT * FROM arrivals ORDER BY seq');
  return {
    open: (login, by, at) => {
      const seq = Number(insert.get(login.id, login.name, by, at)?.['seq']);
      forget.run(seq - KEPT);
      const arrival: OpenArrival = {
        file: null,
        bytes: 0,
        accepted: (offerId, when) => void accept.run(arrival.file, arrival.bytes, offerId, when, seq),
        end: ({ at: endedAt, refusal, faults }) => {
          const outcome: Outcome = refusal === undefined ? 'broken-off' : 'refused';
          const { status = null, code = null } = refusal ?? {};
          finish.run(arrival.file, arrival.bytes, endedAt, status, code, JSON.stringify(faults), outcome, seq);
        },
      };
      return arrival;
    },
    all: () => select.all().map(toView),
  };
}

function toView(row: Record<string, SQLOutputValue>): ArrivalView {
  const text = (key: string) => (row[key] === null ? null : String(row[key]));
  const number = (key: string) => (row[key] === null ? null : Number(row[key]));
  return {
    arrival: Number(row['seq']),
    login: { id: String(row['login']), name: String(row['name']) },
    by: String(row['by_whom']),
    file: text('file'),
    bytes: Number(row['bytes']),
    outcome: String(row['outcome']) as Outcome,
    startedAt: Number(row['started_at']),
    endedAt: number('ended_at'),
    acceptedAt: number('accepted_at'),
    offerId: text('offer_id'),
    status: number('status'),
    code: text('code'),
    faults: JSON.parse(String(row['faults'])) as string[],
  };
}
