import type { MadeLink } from '../../access/supplier-links.ts';
import type { World } from './world.ts';

/** Makes a link to the page of a feed's supplier, as `offerline supplier-page` does; its secret is in the answer and nowhere else. */
export async function makeSupplierLink(
  asked: { feed: string; rotate: boolean },
  { ctx, asker }: World,
): Promise<MadeLink> {
  return (await import('../../access/supplier-links.ts')).makeLink(asked, asker, ctx);
}

/** The address of a new link for a mail to the supplier of a feed; null where there is none. */
export async function supplierLinkForMail({ feed }: { feed: string }, { ctx, asker }: World): Promise<string | null> {
  return (await import('../../access/supplier-links.ts')).linkForMail(feed, asker, ctx);
}

/** Ends all links to the page of a feed's supplier, as `offerline supplier-page --end` does. */
export async function endSupplierLinks({ feed }: { feed: string }, { ctx, asker }: World): Promise<number> {
  return (await import('../../access/supplier-links.ts')).endLinks(feed, asker, ctx);
}

/** Writes down that a link of a feed was opened. */
export async function openedSupplierLink(link: { id: string; feed: string }, { ctx, asker }: World): Promise<void> {
  await (await import('../../access/supplier-links.ts')).openedLink(link, asker.origin, ctx);
}

/** Counts a wrong link; answers in how many milliseconds the next may be tried, null: at once. */
export async function countWrongSupplierLink(_nothing: object, { ctx, asker }: World): Promise<number | null> {
  return (await import('../../access/supplier-links.ts')).countWrongLink(asker.origin, ctx);
}
