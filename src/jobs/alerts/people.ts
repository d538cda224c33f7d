import { feedsOfManager, feedsOfUser } from '../../access/visitor.ts';
import type { Context } from '../../context.ts';
import { allUsers } from '../../ledger/access/users.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';
import type { IncidentWork, PersonKind } from '../../model.ts';

/** The people who may be given work: the users of the console, and the addresses of `managers`. */
export type People = {
  /** What is known of a name or address; null where nobody has it, or the user is disabled. */
  find: (name: string) => Person | null;
  /** Whether two names or addresses mean the same person. */
  areSame: (one: string, other: string) => boolean;
  /** Whether a person who is known sees what an incident is about, and may do something about it. */
  mayWorkOn: (name: string, incident: Pick<IncidentRow, 'feed'>) => boolean;
  /** The addresses of the users who may decide about a feed, or about logins where there is none; `without`: not of this person. */
  deciders: (feed: string | null, without: string | null) => string[];
};

/** Somebody who is known. `feeds`: those that they see; null: all. `decides`: they may do more than look. */
type Person = {
  kind: Exclude<PersonKind, 'name'>;
  email: string | null;
  feeds: readonly string[] | null;
  decides: boolean;
};

/** Who is known now. */
export async function peopleNow({ ledger, config }: Pick<Context, 'ledger' | 'config'>): Promise<People> {
  const users = new Map((await allUsers(ledger.db)).map((user) => [folded(user.name), user]));
  const addresses = new Map(config.managers.map(({ email }) => [folded(email), email]));
  const find: People['find'] = (name) => {
    const user = users.get(folded(name));
    const address = addresses.get(folded(name)) ?? null;
    if (user !== undefined && user.disabled_at === null) {
      const feeds = feedsOfUser(user, config);
      return {
        kind: 'user',
        email: user.email ?? address,
        feeds,
        decides: user.role !== 'viewer' && user.role_lost_at === null,
      };
    }
    const feeds = feedsOfManager(address, config);
    return address === null ? null : { kind: 'manager', email: address, feeds, decides: true };
  };
  // Users may share an address, so that only who is named by it is the same.
  const isAddressOf = (address: string, name: string) => isSamePerson(find(name)?.email ?? '', address);
  const areSame: People['areSame'] = (one, other) =>
    isSamePerson(one, other) || isAddressOf(one, other) || isAddressOf(other, one);
  const mayWorkOn: People['mayWorkOn'] = (name, { feed }) => {
    const person = find(name);
    if (person === null || !person.decides) return false;
    // What is of no single feed is shown to those who see all.
    return person.feeds === null || (feed !== null && person.feeds.includes(feed));
  };
  const deciders: People['deciders'] = (feed, without) =>
    [...users.values()].flatMap(({ name, role, email, disabled_at, role_lost_at }) => {
      const isAsked =
        disabled_at === null &&
        role_lost_at === null &&
        email !== null &&
        (without === null || !areSame(name, without));
      const decides = feed === null ? role === 'ops' || role === 'admin' : mayWorkOn(name, { feed });
      return isAsked && decides ? [email] : [];
    });
  return { find, areSame, mayWorkOn, deciders };
}

/** Whether two names, or two addresses, are the same. */
export function isSamePerson(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Others are reminded again when nothing was done for so many milliseconds. */
export const DAY_MS = 86_400_000;

/** Who works on an incident at a moment, and whether it is quiet; of one that is over, who worked on it. */
export function workOf(row: IncidentRow, people: People, now: number): IncidentWork {
  const { taken_by: by, taken_at, recovered_at, quiet_until, quiet_ends_at: ends, quiet_at, quiet_by } = row;
  const known = by === null ? null : people.find(by);
  return {
    taken:
      by === null
        ? null
        : {
            by,
            since: taken_at ?? row.opened_at,
            hasMail: known?.email != null,
            gone: recovered_at === null && isGone(row, people),
            idle: recovered_at === null && lastDone(row, now) <= now - DAY_MS,
          },
    quiet:
      isQuietAt(row, now) && quiet_until !== null && ends !== null
        ? { until: quiet_until, ends, by: quiet_by ?? '', since: quiet_at ?? row.opened_at }
        : null,
  };
}

/** Whether the one who works on an incident was disabled or removed since, or does not see any more what it is about. */
export function isGone(row: Pick<IncidentRow, 'taken_by' | 'taken_as' | 'feed'>, people: People): boolean {
  return row.taken_by !== null && row.taken_as !== 'name' && !people.mayWorkOn(row.taken_by, row);
}

/** Whether nobody is reminded of an incident. */
export function isQuietAt(row: IncidentRow, now: number): boolean {
  const end = quietEndOf(row);
  return row.recovered_at === null && row.quiet_at !== null && (end === null || end > now);
}

/** When the quiet of an incident ended or will; null where that is open, and where it was never quiet. */
function quietEndOf({ quiet_ended_at, quiet_ends_at }: IncidentRow): number | null {
  return quiet_ended_at ?? quiet_ends_at;
}

/** When something last happened to an incident by its own row: it began, somebody did something about it, its quiet ended. */
export function lastDone(incident: IncidentRow, now: number): number {
  const end = quietEndOf(incident);
  const { opened_at, worked_at } = incident;
  const times = [opened_at, worked_at ?? 0, end ?? 0];
  return Math.max(...times.filter((time) => time <= now));
}
