import { hash } from 'node:crypto';
import { readSettings, type ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { acceptedColumnsOf, asAccepted } from '../../ledger/runs/accepted-columns.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';

/** The settings for reading a feed's file, with the columns that people have accepted for it by now. */
export async function readSettingsOf(
  feed: string,
  { config, ledger }: Context,
  db: Db = ledger.db,
): Promise<ReadSettings> {
  return readSettings(config, feed, (await acceptedColumnsOf(db, feed)).map(asAccepted));
}

/**
 * The settings with the readings that a person took for a run's file and for those that are joined to it: they are no settings, later files are
 * asked about again.
 */
export function readAs(settings: ReadSettings, { options }: Pick<RunRow, 'options'>): ReadSettings {
  const { reading, partnerReadings = [] } = options;
  const files = settings.join?.files.map((file) => {
    const taken = partnerReadings.find(({ partner }) => partner === file.role);
    if (taken === undefined) return file;
    const { charset, delimiter } = taken;
    return { ...file, dialect: { ...file.dialect, charset, delimiter } };
  });
  return { ...settings, ...reading, join: files === undefined ? null : { ...settings.join!, files } };
}

/** The hash of the settings as they are now. */
export async function settingsHashOf(feed: string, ctx: Context, db: Db = ctx.ledger.db): Promise<string> {
  return settingsHash(ctx.config, feed, await readSettingsOf(feed, ctx, db));
}

/** Names the settings that decide what becomes of a feed's bytes; when it changes, the same bytes are worth reading again. */
export function settingsHash(config: Config, feed: string, read: ReadSettings): string {
  const { login, priority, guard } = config.feeds[feed] ?? {};
  const {
    accepted,
    entries,
    join,
    sheet,
    records,
    signals,
    tagMark,
    numbers,
    split,
    onDamagedNumber,
    keep,
    spellings,
    strip,
    rules,
    rulePlan: _rulePlan,
    change,
    changes: _changes,
    unpack,
    limits,
    ...rest
  } = read;
  // How long reading may take changes nothing of what is read.
  const { readTime: _readTime, ...bounds } = limits;
  // Where nothing is accepted or set the hash is that of earlier versions: an upgrade must not read every file again.
  const columns = read.columns.map(({ configured: _configured, ...column }) => column);
  const isSet = {
    ...(accepted.length === 0 ? {} : { accepted }),
    ...(entries === null ? {} : { entries }),
    ...(join === null ? {} : { join }),
    ...(sheet === null ? {} : { sheet }),
    ...(records === null ? {} : { records }),
    ...(signals === null ? {} : { signals }),
    ...(tagMark === null ? {} : { tagMark }),
    ...(numbers === null ? {} : { numbers }),
    ...(split === null ? {} : { split }),
    ...(onDamagedNumber === 'drop' ? {} : { onDamagedNumber }),
    ...(keep.length === 0 ? {} : { keep }),
    ...(strip === null ? {} : { strip }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(change === null ? {} : { change }),
    // What opens the bytes changes nothing of what is in them, and a hash in the ledger would help to guess it; a demand changes what is taken.
    ...(unpack?.pgp?.signedBy == null ? {} : { signedBy: unpack.pgp.signedBy }),
    ...(spellings === null ? {} : { spellings: spellings.digest }),
  };
  const settings = { ...rest, limits: bounds, columns, ...isSet };
  return hash('sha256', JSON.stringify([settings, config.offer, login, priority, guard]));
}
