import type { Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

/** A request of the supplier of a feed, who came by a link. Who they are to the console does not matter. */
export type SupplierVisit = Pick<Visit, 'ctx' | 'world' | 'language' | 'url' | 'params' | 'request' | 'call'> & {
  feed: string;
  /** Since when the feed has this supplier: what came before was another one's. */
  since: number;
  /** The id of the link; the addresses of all its pages begin with it. */
  link: string;
  /** What the forms of these pages carry, so that no other page's form is taken. */
  formKey: string;
  /** Whether the link still opens the page: a file may take hours to come. */
  isStillOpen: () => Promise<boolean>;
};

/** What a supplier is answered with; null: there is no such page. `again`: milliseconds after which the same may be asked again. */
export type SupplierAnswer =
  | (Extract<Answer, { page: unknown }> & { again?: number })
  | Extract<Answer, { redirect: string } | { file: unknown }>
  | null;

/** Something that can be asked for with a link. */
export type SupplierRoute = {
  method: 'GET' | 'POST';
  path: string;
  handle: (visit: SupplierVisit) => Promise<SupplierAnswer>;
};

/** The address of a page of the link that somebody came by. */
export function addressIn({ link }: Pick<SupplierVisit, 'link'>, ...rest: string[]): string {
  return ['/supplier', link, ...rest.map((part) => encodeURIComponent(part))].join('/');
}

/** Suppliers as pushes and the audit name them, before the id of their link. */
export const SUPPLIER_LINK = 'supplier link ';
