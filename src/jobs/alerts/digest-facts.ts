import { supplierName } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { audiencesOf, gravestFirst, INCIDENTS, type Audience } from '../../incidents.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { listFeeds } from '../../ledger/runs/feeds.ts';
import { countOutcomes } from '../../ledger/runs/outcomes.ts';
import { listPauses } from '../../ledger/runs/pauses.ts';
import {
  accountsIn,
  type FeedAccount,
  type FeedRow,
  type IncidentRow,
  type PauseRow,
} from '../../ledger/schema/schema.ts';
import { accountsAt, lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { lastLooks } from '../../ledger/uploads/findability.ts';
import type { IncidentWork } from '../../model.ts';
import { hasOps } from '../../notify/recipients.ts';
import type { DigestIncident, DigestInput, DigestSupplier } from '../../notify/digest/input.ts';
import { INCIDENT_REASONS } from '../../wording/reasons/incident-reasons.ts';
import type { ToldIncident } from '../../wording/managers/incident-words.ts';
import { readReason } from '../../wording/reasons/reason.ts';
import type { Language } from '../../wording/language/language.ts';
import { standingsOf, type ExpectedStanding } from '../feeds/expected.ts';
import { proposalsOf } from '../propose/gather.ts';
import { knownShareAt } from '../findability/share.ts';
import { liveFacts } from '../logins/live-facts.ts';
import { doubtIn } from '../logins/live-now.ts';
import { offersRead } from '../../wording/words.ts';
import { peopleNow, workOf } from './people.ts';

const DAY_MS = 86_400_000;

/** Which digest, of which feeds, for whom. */
type Asked = Pick<DigestInput, 'every' | 'day' | 'since' | 'audience' | 'console'> & {
  feeds: string[];
  language: Language;
};

/** How the suppliers of some feeds stand now. A few queries for each login and none for a feed, however many there are. */
export async function gatherDigest({ feeds, language, ...asked }: Asked, ctx: Context): Promise<DigestInput> {
  const { db } = ctx.ledger;
  const asOf = ctx.clock.now();
  const watched = new Set(feeds);
  const open = await watchedIncidents(watched, asked.audience, ctx);
  const states = new Map((await listFeeds(db)).map((state) => [state.feed, state]));
  const pauses = await listPauses(db);
  const names = namesOf(feeds, ctx);
  const logins = Map.groupBy(feeds, (feed) => loginOf(feed, ctx));
  const looks = await lastLooks(db, feeds);
  const standings = await standingsOf(feeds, states, ctx);
  const suppliers: DigestSupplier[] = [];
  for (const [login, ofLogin] of logins) {
    const accounts = await accountsOf(login, asOf, ctx);
    for (const feed of ofLogin) {
      const state = states.get(feed);
      const gravest = gravestOf(open.filter((one) => (one.feed === null ? one.login === login : one.feed === feed)));
      suppliers.push({
        feed,
        name: names.get(feed) ?? feed,
        ...rowsOf(feed, accounts),
        known: knownShareAt(login, looks.get(feed)),
        proposals: asked.every === 'weekly' ? (await proposalsOf(feed, ctx)).length : 0,
        ...delivered({
          feed,
          login,
          pauses,
          state: state?.login === login ? state : undefined,
          standing: standings.get(feed),
        }),
        incident: gravest === null ? null : toldIncident(gravest),
      });
    }
  }
  const ended = (await countOutcomes(db, { from: asked.since, to: asOf })).filter(({ feed }) => watched.has(feed));
  const runs = [...Map.groupBy(ended, ({ outcome }) => outcome)].map(([outcome, of]) => ({
    outcome,
    runs: of.reduce((sum, { runs: count }) => sum + count, 0),
  }));
  const people = await peopleNow(ctx);
  const incidents = open.map((row) => shownIncident(row, workOf(row, people, asOf), names));
  return { ...asked, asOf, suppliers, incidents, runs, sandbox: ctx.sandbox, language };
}

function loginOf(feed: string, { config }: Context): string {
  return config.feeds[feed]?.login ?? '';
}

/** Suppliers whose names are the same are told apart by their feeds. */
function namesOf(feeds: string[], { config }: Context): Map<string, string> {
  const sharing = Map.groupBy(feeds, (feed) => supplierName(config, feed));
  return new Map(
    [...sharing].flatMap(([name, same]) =>
      same.map((feed) => [feed, same.length === 1 ? name : `${name} (${feed})`] as const),
    ),
  );
}

/** What is open of some feeds and of their logins as a whole. Where anybody is ops, managers see of theirs what they were told. */
async function watchedIncidents(feeds: ReadonlySet<string>, audience: Audience, ctx: Context): Promise<IncidentRow[]> {
  const logins = new Set([...feeds].map((feed) => loginOf(feed, ctx)));
  const seesAll = audience === 'ops' || !hasOps(ctx.config.managers);
  return (await listIncidents(ctx.ledger.db))
    .filter(({ feed, login }) => (feed === null ? logins.has(login) : feeds.has(feed)))
    .filter((row) => seesAll || row.managers_told_at !== null || audiencesOf(factsOf(row)).includes('managers'));
}

type Accounts = Map<string, FeedAccount> | null;

/** The accounts of a login's feeds now, a day and a week before. `uncertain`: something else may be online. */
async function accountsOf(login: string, now: number, { ledger: { db } }: Context) {
  const proved = await lastVerified(db, login);
  const doubt = doubtIn(await liveFacts(db, login));
  return {
    // An upload that is under way changes nothing until it is proved.
    uncertain: doubt?.elsewhere === true,
    hasUploads: proved !== undefined,
    now: proved === undefined ? null : accountsIn(proved.intent),
    dayBefore: await accountsAt(db, login, now - DAY_MS),
    weekBefore: await accountsAt(db, login, now - 7 * DAY_MS),
  };
}

function rowsOf(
  feed: string,
  { uncertain, hasUploads, now, dayBefore, weekBefore }: Awaited<ReturnType<typeof accountsOf>>,
): Pick<DigestSupplier, 'live' | 'liveDayBefore' | 'liveWeekBefore' | 'file'> {
  const account = now?.get(feed);
  const liveIn = (accounts: Accounts) => (accounts === null ? null : (accounts.get(feed)?.live ?? 0));
  return {
    live: uncertain || (hasUploads && now === null) ? null : (account?.live ?? 0),
    liveDayBefore: liveIn(dayBefore),
    liveWeekBefore: liveIn(weekBefore),
    file:
      account === undefined
        ? null
        : {
            read: offersRead(account),
            rejected: account.rejectedLocally + account.rejectedRemotely,
            leftOut: account.leftOut,
          },
  };
}

/** What is known of a feed's deliveries: its state in the ledger, the pauses of all feeds and logins, what is expected. */
type Deliveries = {
  feed: string;
  login: string;
  state: FeedRow | undefined;
  pauses: PauseRow[];
  standing: ExpectedStanding | undefined;
};

function delivered({
  feed,
  login,
  state,
  pauses,
  standing,
}: Deliveries): Pick<DigestSupplier, 'deliveredAt' | 'expectEvery' | 'dueAt' | 'isLate' | 'pausedAt'> {
  const over = pauses.filter(({ kind, name }) => name === (kind === 'feed' ? feed : login));
  const isByDays = standing !== undefined && !('every' in standing.expected);
  return {
    deliveredAt: state?.delivered_at ?? null,
    expectEvery: standing !== undefined && 'every' in standing.expected ? standing.expected.every : null,
    dueAt: isByDays ? standing.due : null,
    isLate: standing?.late === true,
    pausedAt: over.length === 0 ? null : Math.min(...over.map(({ at }) => at)),
  };
}

function gravestOf(incidents: IncidentRow[]): IncidentRow | null {
  const [first] = gravestFirst(incidents.map((row) => ({ kind: row.kind, openedAt: row.opened_at, row })));
  return first?.row ?? null;
}

function toldIncident(row: IncidentRow): ToldIncident {
  const { kind, ended = null } = factsOf(row);
  return { kind, ended, reason: readReason(INCIDENT_REASONS, row) };
}

function shownIncident(row: IncidentRow, work: IncidentWork, names: ReadonlyMap<string, string>): DigestIncident {
  const supplier = row.feed === null ? null : (names.get(row.feed) ?? row.feed);
  const { kind, login, feed, run, text } = factsOf(row);
  const said = `${INCIDENTS[kind].title} — ${text}${run === null ? '' : ` (run ${run})`}`;
  const technical: [string, string] = [feed ?? `login ${login}`, said];
  return { ...toldIncident(row), openedAt: row.opened_at, supplier, work, technical };
}
