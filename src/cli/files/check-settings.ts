import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { supplierLanguage } from '../../config/supplier.ts';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { feedGuard, readSettings, type ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Guard } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import type { RowFile } from '../../compose/row-file.ts';
import { asChanges } from '../../jobs/read/plan/plan-change.ts';
import { deliveryKind } from '../../pull/choose/delivery-kind.ts';
import type { BaseRows } from '../../jobs/read/changes/put-upon.ts';
import type { OfferLayout } from '../../compose/offer-file.ts';
import type { KnownDelivery } from '../../jobs/guards/correction.ts';
import type { AcceptedColumns, EarlierHeader, WrittenFile } from '../../model.ts';
import type { ProvedRules } from '../../jobs/guards/feed-guard.ts';
import type { ProvedSignals } from '../../jobs/guards/compare-samples.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';

/** How a file is read, and what its supplier reads. */
export type CheckSettings = { read: ReadSettings; offer: OfferLayout; guard: Guard; language: string };

/** What a supplier reads when nobody says so. */
const LANGUAGE = 'en';

/** The settings of a feed, or of the configuration that `--config` names; without either the defaults. */
export async function checkSettings(
  { feed, language }: { feed?: string; language?: string },
  file: string,
  command: Command,
  io: Io,
): Promise<CheckSettings> {
  const { config: named } = command.optsWithGlobals<{ config?: string }>();
  if (feed === undefined && named === undefined) {
    return {
      read: readSettings(READING_DEFAULTS),
      offer: READING_DEFAULTS.offer,
      guard: {},
      language: language ?? LANGUAGE,
    };
  }
  const { feedOf, loadFor } = await import('../session.ts');
  const loaded = await loadFor(command, io);
  const { config } = loaded;
  if (feed !== undefined) await feedOf(feed, loaded);
  const isChange = feed !== undefined && deliveryKind(config.feeds[feed]!.delivery, file) === 'changes';
  const read = readSettings(config, feed);
  return {
    read: isChange ? asChanges(read) : read,
    offer: config.offer,
    guard: feed === undefined ? {} : feedGuard(config, feed),
    language: language ?? (feed === undefined ? config.mail.language : supplierLanguage(config, feed)),
  };
}

/**
 * What a feed has in an installation: its live rows, those of its login, the columns that were accepted for it, and the deliveries
 * that a file may be the correction of.
 */
type FeedHistory = {
  earlier: KeptRows | null;
  earlierHeader: EarlierHeader | null;
  live: RowFile | null;
  accepted: AcceptedColumns[];
  known: KnownDelivery[];
  /** What was seen of the live rows. */
  proved: ProvedSignals | null;
  /** What rules did to the live delivery. */
  ruled: ProvedRules | null;
  /** The rows that changes would be put upon, and how the deliveries are written that they come from. */
  base: BaseRows | null;
  writtenBefore: WrittenFile[];
  /** What is to be said of these rows, in sentences. */
  notes: string[];
};

const WITHOUT_BASE = { base: null, writtenBefore: [], notes: [] };

/** Of a feed that was never at work, or of none. */
const NO_HISTORY: FeedHistory = {
  earlier: null,
  earlierHeader: null,
  live: null,
  accepted: [],
  known: [],
  proved: null,
  ruled: null,
  ...WITHOUT_BASE,
};

/** What is known of a feed, where there is an installation; none is made for it. `isChange`: it is known for a delivery of changes. */
export async function feedHistory(
  { feed, isChange }: { feed: string | undefined; isChange: boolean },
  command: Command,
  io: Io,
): Promise<FeedHistory> {
  if (feed === undefined) return NO_HISTORY;
  const { ifInstalled, loadFor } = await import('../session.ts');
  const known = await ifInstalled(await loadFor(command, io), io, async (ctx) => {
    const [
      { liveHeader, liveRows },
      { liveDataset },
      { readSettingsOf },
      { knownDeliveries },
      { provedSignals },
      { provedRules },
    ] = await Promise.all([
      import('../../jobs/feeds/live-rows.ts'),
      import('../../jobs/logins/live-dataset.ts'),
      import('../../jobs/read/settings.ts'),
      import('../../jobs/guards/correction.ts'),
      import('../../jobs/guards/signals.ts'),
      import('../../jobs/guards/feed-guard.ts'),
    ]);
    const { login } = ctx.config.feeds[feed]!;
    const [{ accepted }, earlier] = [await readSettingsOf(feed, ctx), await liveRows(feed, login, ctx)];
    const earlierHeader = isChange ? null : await liveHeader(feed, login, ctx);
    const known = isChange ? [] : await knownDeliveries({ feed, login }, ctx);
    const proved = await provedSignals(feed, login, ctx);
    return {
      accepted,
      earlier,
      earlierHeader,
      live: await liveDataset(login, ctx),
      known,
      proved,
      ruled: await provedRules(feed, login, ctx),
      ...(isChange ? await baseOfFeed(feed, login, ctx) : WITHOUT_BASE),
    };
  });
  return known ?? NO_HISTORY;
}

async function baseOfFeed(
  feed: string,
  login: string,
  ctx: Context,
): Promise<Pick<FeedHistory, 'base' | 'writtenBefore' | 'notes'>> {
  const [{ baseOf, readOtherwise }, { writtenBefore }, { baseRowsOf, readOtherwiseText }, { settingsHashOf }] =
    await Promise.all([
      import('../../jobs/feeds/base.ts'),
      import('../../jobs/read/changes/full-list.ts'),
      import('../../jobs/run/put-changes.ts'),
      import('../../jobs/read/settings.ts'),
    ]);
  const { db } = ctx.ledger;
  const base = await baseOf(db, { id: '', feed, login, options: {} });
  if (base === null) return WITHOUT_BASE;
  const other = await readOtherwise(db, base, await settingsHashOf(feed, ctx));
  return {
    base: await baseRowsOf(base, ctx),
    writtenBefore: await writtenBefore(db, base),
    notes: other === null ? [] : [readOtherwiseText(other)],
  };
}
