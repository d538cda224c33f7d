import { OfferlineError } from '../../errors.ts';
import type { Attribute, CatalogInfo, QuickGroup } from './schemas.ts';

/** What the bit mask of the attribute `flag` says of a part; `others` are bits without a documented meaning. */
export type PartFlags = { nonStandard: boolean; others: number };

/** Decodes the bit mask of a part or unit, given as a number, a text, or its attributes; without one nothing is set. */
export function partFlags(mask: number | string | readonly Attribute[]): PartFlags {
  const written = typeof mask === 'object' ? (mask.find(({ key }) => key === 'flag')?.value ?? '0') : mask;
  const bits = Number(written);
  const known = Number.isSafeInteger(bits) && bits >= 0 ? bits : 0;
  return { nonStandard: known % 2 === 1, others: known - (known % 2) };
}

/** The address of a unit's image in a size; which sizes there are is not documented. */
export function imageAddress(address: string, size: string | number): string {
  const written = String(size);
  if (/^[\w.-]+$/.test(written)) return address.replaceAll('%size%', written);
  throw new OfferlineError('usage', `"${written}" is not an image size; write letters, digits, ".", "-" and "_".`);
}

/** True when a catalog has a feature, such as `vinsearch` or `quickgroups`. */
export function hasFeature({ features }: CatalogInfo, name: CatalogInfo['features'][number]['name']): boolean {
  return features.some((feature) => feature.name === name);
}

/** A group of the tree with its place: how deep it is (from 0), and the groups above it. */
export type PlacedGroup = { group: QuickGroup; depth: number; path: readonly QuickGroup[] };

/** Every group of a tree, each before its children, however deep the tree is. */
export function* walkQuickGroups(groups: readonly QuickGroup[]): Generator<PlacedGroup, void, undefined> {
  const open: { group: QuickGroup; path: readonly QuickGroup[] }[] = [];
  const put = (children: readonly QuickGroup[], path: readonly QuickGroup[]) => {
    for (const group of [...children].reverse()) open.push({ group, path });
  };
  put(groups, []);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield { ...next, depth: next.path.length };
    put(next.group.children, [...next.path, next.group]);
  }
}
