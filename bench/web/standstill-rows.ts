import type {
  AcceptedColumnsRow,
  DepartureRow,
  FreezeRow,
  PauseRow,
  SourceDenialRow,
} from '../../src/ledger/schema/schema.ts';
import type { WatchRow } from '../../src/ledger/schema/watch-schema.ts';
import type { Draw } from './draw.ts';
import { GONE } from './installation.ts';
import type { Place } from './trail-rows.ts';

const HOUR = 3_600_000;

/** What people and sources have stopped, what the watch saw, and what people accepted. */
export type Standstills = {
  pauses: PauseRow[];
  freezes: FreezeRow[];
  departures: DepartureRow[];
  watches: WatchRow[];
  denials: SourceDenialRow[];
  accepted: AcceptedColumnsRow[];
};

/** Draws it for some of the feeds; the feed that left the configuration is kept by a guard. */
export function standstillsIn(places: readonly Place[], end: number, draw: Draw): Standstills {
  const logins = [...new Set(places.map(({ login }) => login))];
  const some = (every: number, from: number) => places.filter((_, at) => at % every === from % every);
  const who = 'ольга';
  const reason = 'the supplier moves its warehouse; see ticket #4711 <soon>';
  return {
    pauses: [
      ...some(40, 7).map(({ feed: name }) => ({ kind: 'feed' as const, name, at: end - 30 * HOUR, who, reason })),
      ...logins.slice(4, 5).map((name) => ({ kind: 'login' as const, name, at: end - 9 * HOUR, who, reason })),
    ],
    freezes: some(50, 11).map(({ feed, login }) => ({ feed, login, at: end - 50 * HOUR, who, reason })),
    departures: logins.slice(0, 1).map((login) => {
      return { login, feed: GONE, at: end - 70 * HOUR, reason: 'the dataset would shrink by 60%', released_at: null };
    }),
    watches: logins.map((login, at) => ({
      login,
      next_at: end + 60_000,
      wait_ms: 60_000,
      looked_at: end - 120_000,
      waits: 0,
      silent_since: at === 3 ? end - 2 * HOUR : null,
      note: at === 3 ? 'HTTP 502 Bad Gateway' : null,
      unverified: null,
      unverified_at: null,
    })),
    denials: some(45, 3).map(({ feed }) => {
      return { feed, fingerprint: draw.hex(20), since: end - 5 * HOUR, at: end - 600_000, tries: 1 + draw.below(2) };
    }),
    accepted: some(12, 5).map(({ feed, run }) => ({
      id: draw.id(end - 80 * HOUR),
      feed,
      fingerprint: draw.hex(20),
      run,
      at: end - 80 * HOUR,
      who,
      reason,
      accepted: [{ key: 'oem', column: 'Каталожный №', position: 2 }],
      header_cells: ['Бренд', 'Каталожный №', 'Цена'],
      width: 3,
      revoked_at: null,
      revoked_by: null,
      revoked_reason: null,
    })),
  };
}
