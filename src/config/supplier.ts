import { own } from '../io/dictionary.ts';
import type { Config } from './schema/schema.ts';

/** What people call the supplier of a feed: `feeds.NAME.supplier.name`, else the feed's own name. */
export function supplierName({ feeds }: Pick<Config, 'feeds'>, feed: string): string {
  return own(feeds, feed)?.supplier?.name ?? feed;
}

/** What the supplier of a feed reads: `feeds.NAME.supplier.language`, else `mail.language`. */
export function supplierLanguage({ feeds, mail }: Pick<Config, 'feeds' | 'mail'>, feed: string): string {
  return own(feeds, feed)?.supplier?.language ?? mail.language;
}

/** Whether the supplier of a feed has a page of its own; not of one that is no longer in the configuration. */
export function hasSupplierPage({ feeds }: Pick<Config, 'feeds'>, feed: string): boolean {
  return own(feeds, feed)?.supplier?.page ?? false;
}

/** The clock that the supplier of a feed reads: its own, else that of the feed's schedule; undefined where neither is said. */
export function supplierZone({ feeds }: Pick<Config, 'feeds'>, feed: string): string | undefined {
  const settings = own(feeds, feed);
  return settings?.supplier?.timezone ?? settings?.schedule?.timezone;
}

/** A name and an address. */
type Mark = [string | null, string | null];

/** Who the supplier of a feed is, as a text that is kept with what was made for it. */
export function supplierMark({ feeds }: Pick<Config, 'feeds'>, feed: string): string {
  const { name = null, email = null } = own(feeds, feed)?.supplier ?? {};
  return JSON.stringify([name, email]);
}

/**
 * Whether the supplier of a feed is the one of whom a mark was made: with the same address, or of the same name however it is written. One of whom nothing
 * was said is taken for any.
 */
export function isSameSupplier(config: Pick<Config, 'feeds'>, feed: string, mark: string): boolean {
  const [name, email] = JSON.parse(mark) as Mark;
  const [nameNow, emailNow] = JSON.parse(supplierMark(config, feed)) as Mark;
  if (email !== null && emailNow !== null && folded(email) === folded(emailNow)) return true;
  if (name !== null) return nameNow !== null && folded(name) === folded(nameNow);
  return email === null;
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
