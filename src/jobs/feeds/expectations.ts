import type { FeedConfig } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { noteWarning, waitsSince } from '../../ledger/runs/deliveries.ts';
import { feedState, listFeeds } from '../../ledger/runs/feeds.ts';
import { freezeOf } from '../../ledger/runs/freezes.ts';
import { INSTALLATION, type IncidentKind } from '../../incidents.ts';
import { listIncidents, openIncident, raise, recover } from '../../ledger/alerts/incidents.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { runsAt } from '../../ledger/runs/runs.ts';
import type { FeedRow, IncidentRow } from '../../ledger/schema/schema.ts';
import type { IncidentReason } from '../../wording/reasons/incident-reasons.ts';
import { moment, span } from '../../wording/words.ts';
import { standingsOf, type ExpectedStanding } from './expected.ts';

/**
 * Looks at what time alone brings: deliveries that were expected and did not come (`expect`, `expectEvery`), suppliers
 * that stopped delivering (`expires`). Also ends the incidents of what is no longer in the configuration.
 */
export async function checkExpectations(ctx: Context): Promise<void> {
  const open = await listIncidents(ctx.ledger.db);
  await endOrphans(open, ctx);
  const late = feedsWith('missing-delivery', open);
  const leaving = feedsWith('expiry', open);
  const busy = new Set((await runsAt(ctx.ledger.db, ['pull', 'read'])).map(({ feed }) => feed));
  const isExpected = ({ expect, expectEvery }: FeedConfig) => expect !== undefined || expectEvery !== undefined;
  // What is being pulled right now may be what is waited for. Of most feeds nothing is expected, and a sweep asks nothing about them.
  const asked = Object.entries(ctx.config.feeds).filter(
    ([feed, settings]) => !busy.has(feed) && (isExpected(settings) || late.has(feed)),
  );
  await checkDeliveries(
    asked.map(([feed]) => feed),
    late,
    ctx,
  );
  for (const [feed, { expires }] of Object.entries(ctx.config.feeds)) {
    if (expires !== undefined || leaving.has(feed)) await checkExpiry(feed, leaving, ctx);
  }
}

/** The feeds that an incident of a kind is open for. */
function feedsWith(kind: IncidentKind, open: IncidentRow[]): Set<string | null> {
  return new Set(open.filter((incident) => incident.kind === kind).map(({ feed }) => feed));
}

async function endOrphans(open: IncidentRow[], ctx: Context): Promise<void> {
  const { feeds, logins } = ctx.config;
  for (const { kind, login, feed } of open) {
    // A freeze outlasts the configuration of its feed.
    if (kind === 'frozen-feed' || login === INSTALLATION) continue;
    const isThere = feed === null ? Object.hasOwn(logins, login) : feeds[feed]?.login === login;
    const text = `${feed ?? login} is no longer in the configuration`;
    if (!isThere) await recover(ctx.ledger.db, { kind, login, feed, text }, ctx.clock.now());
  }
}

/** Raises what is late, and ends what is not any more. */
async function checkDeliveries(feeds: string[], late: ReadonlySet<string | null>, ctx: Context): Promise<void> {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  for (const feed of feeds) {
    await feedState(db, feed, ctx.config.feeds[feed]!.login);
    await waitsSince(db, feed, now);
  }
  const rows = new Map((feeds.length === 0 ? [] : await listFeeds(db)).map((row) => [row.feed, row]));
  const standings = await standingsOf(feeds, rows, ctx);
  for (const feed of feeds) {
    const { login } = ctx.config.feeds[feed]!;
    const what = { kind: 'missing-delivery', login, feed } as const;
    const standing = standings.get(feed);
    if (standing?.late === true) {
      const { reason, numbers } = whyLate(standing, rows.get(feed), now);
      await raise(db, { ...what, reason, numbers }, now);
    } else if (late.has(feed) && !isOwed(standing, now)) await recover(db, { ...what, text: whyOver(standing) }, now);
  }
}

/** While the clock is stopped nothing becomes late, and what was late already is not over. */
function isOwed(standing: ExpectedStanding | undefined, now: number): boolean {
  return standing !== undefined && standing.lateAt !== null && now > standing.lateAt;
}

function whyLate(
  { expected, timezone, due, lateAt, came, of }: ExpectedStanding,
  row: FeedRow | undefined,
  now: number,
): { reason: IncidentReason; numbers: Record<string, number | null> } {
  const last = row?.delivered_at ?? null;
  if ('every' in expected) {
    const since = last ?? row?.expected_from ?? now;
    const reason = {
      code: 'nothing-delivered',
      forMs: now - since,
      expectEvery: expected.every,
      last,
      timeZone: timezone,
    } as const;
    return { reason, numbers: { since, expectEvery: expected.every } };
  }
  const reason = { code: 'not-in-time', due: due ?? now, came, of, last, timeZone: timezone } as const;
  return { reason, numbers: { due, lateAt, came, of } };
}

function whyOver(standing: ExpectedStanding | undefined): string {
  if (standing === undefined) return 'no delivery is expected any more';
  if ('every' in standing.expected) return `a delivery is expected every ${span(standing.expected.every)}`;
  if (standing.due === null) return 'no delivery is due at present';
  return `the next delivery is due ${moment(standing.due, standing.timezone)}`;
}

async function checkExpiry(feed: string, leaving: ReadonlySet<string | null>, ctx: Context): Promise<void> {
  const { login, expires, schedule } = ctx.config.feeds[feed]!;
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  const what = { kind: 'expiry', login, feed } as const;
  const state = await feedState(db, feed, login);
  const half = (expires ?? Infinity) / 2;
  const { since } = await waitsSince(db, feed, now);
  if (expires === undefined || now - since < half) {
    if (leaving.has(feed)) await recover(db, { ...what, text: 'it may stay in the dataset' }, now);
    return;
  }
  // Without rows in the dataset there is nothing that could leave it.
  if (state.contribution === null || (await isHeldStill(state, ctx))) return;
  const warned = await noteWarning(db, feed, now);
  const leaves = leavingTime({ since, warned, expires });
  const reason = {
    code: 'expiry-ahead',
    forMs: now - since,
    expires,
    leaves: leaves > now ? leaves : null,
    login,
    timeZone: schedule?.timezone,
  } as const;
  await raise(db, { ...what, reason, cause: 'warning', numbers: { since, expires, leaves } }, now);
}

/** Of what people stopped on purpose nothing leaves by itself. */
async function isHeldStill({ feed, login }: FeedRow, ctx: Context): Promise<boolean> {
  const { db } = ctx.ledger;
  return (await freezeOf(db, feed)) !== undefined || (await pauseOver(db, feed, login)) !== undefined;
}

/** A warning that came late, because nothing ran at half time, puts the end off: people have half the time to act. */
function leavingTime({ since, warned, expires }: { since: number; warned: number; expires: number }): number {
  return Math.max(since + expires, warned + expires / 2);
}

/** True when a feed's supplier stopped delivering so long ago, and after a warning, that its rows leave the dataset. */
export async function hasExpired(state: FeedRow, ctx: Context): Promise<boolean> {
  const expires = ctx.config.feeds[state.feed]?.expires;
  const { warned_at: warned, delivered_at, expected_from } = state;
  const since = delivered_at ?? expected_from;
  if (expires === undefined || warned === null || since === null || state.candidate !== null) return false;
  if (leavingTime({ since, warned, expires }) > ctx.clock.now()) return false;
  return !(await isHeldStill(state, ctx));
}

/** Says that a feed's rows are in the dataset no longer, because it expired; nothing when that was not why. */
export async function noteExpired(db: Context['ledger']['db'], { feed, login }: FeedRow, now: number): Promise<void> {
  const open = await openIncident(db, { kind: 'expiry', login, feed });
  if (open === undefined) return;
  await raise(db, { kind: 'expiry', login, feed, reason: { code: 'expired' }, cause: 'left' }, now);
}
