import { randomUUID } from 'node:crypto';

/** What a drive holds, as Microsoft Graph tells of it. */
export type Item = {
  id: string;
  name: string;
  parent: string | null;
  /** Undefined for a folder. */
  bytes?: Buffer;
  /** For a shortcut: what it leads to. */
  remote?: { drive: string; id: string };
  /** Facets beside those that follow from the rest, such as `malware`. */
  facets?: Record<string, object>;
  at: Date;
  version: number;
  contentVersion: number;
};

/** The items of a drive by their ids, and what happens to them. */
export type Drive = {
  id: string;
  name: string;
  root: Item;
  items: Map<string, Item>;
  at: (path: string, from?: string) => Item | undefined;
  children: (id: string) => Item[];
  pathOf: (item: Item) => string;
  makeFolder: (path: string) => Item;
  put: (parent: Item, name: string, bytes: Buffer, second?: number) => Item;
  add: (item: Pick<Item, 'name' | 'parent'> & Partial<Item>) => Item;
};

let newest = 1_700_000_000;

/** Makes an empty drive. */
export function newDrive(name: string): Drive {
  const items = new Map<string, Item>();
  const add: Drive['add'] = (given) => {
    const item: Item = {
      id: `01${randomUUID().replaceAll('-', '').toUpperCase()}`,
      at: next(),
      version: 1,
      contentVersion: 1,
      ...given,
    };
    items.set(item.id, item);
    return item;
  };
  const root = add({ name: 'root', parent: null });
  const children = (id: string) => [...items.values()].filter(({ parent }) => parent === id);
  const inside = (id: string, called: string) =>
    children(id).find((item) => item.name.toLowerCase() === called.toLowerCase());
  const at = (path: string, from = root.id) =>
    split(path).reduce<Item | undefined>((item, part) => item && inside(item.id, part), items.get(from));
  const pathOf = (item: Item): string => {
    const parent = item.parent === null ? undefined : items.get(item.parent);
    return parent === undefined ? '' : [pathOf(parent), item.name].filter((part) => part !== '').join('/');
  };
  return {
    id: `b!${randomUUID()}`,
    name,
    root,
    items,
    at,
    children,
    pathOf,
    add,
    makeFolder: (path) =>
      split(path).reduce((item, part) => inside(item.id, part) ?? add({ name: part, parent: item.id }), root),
    put: (parent, called, bytes, second) => {
      const there = inside(parent.id, called);
      if (there === undefined) return add({ name: called, parent: parent.id, bytes, at: next(second) });
      return Object.assign(there, {
        bytes,
        at: next(second),
        version: there.version + 1,
        contentVersion: there.contentVersion + 1,
      });
    },
  };
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/** Times have whole seconds, and a supplier does not deliver twice in one. */
function next(second?: number): Date {
  newest += 1;
  return new Date((second ?? newest) * 1000);
}
