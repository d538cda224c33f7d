import type { RecordEvents } from '../records/events.ts';
import type { XmlEvents } from './parse-xml.ts';
import { namedElements } from './named-elements.ts';

/** The lists of Ceneo, the price comparison of Poland: offers stand in the root, or in groups of goods. */
export const CENEO_LISTS = [
  { name: 'offers', path: ['offers', 'o'] },
  { name: 'groups', path: ['offers', 'group', 'o'] },
];

/** Whether a document is of Ceneo, by the names of its outermost element and of the first one in it. */
export function isCeneo(root: string, first: string): boolean {
  return root === 'offers' && (first === 'o' || first === 'group');
}

/** What the definition of the format calls maker and number. */
export const CENEO_NAMES = { brand: 'Producent', oem: 'Kod_producenta' };

const ELEMENTS = /^(?:name|cat|desc|imgs|main|i)$/;

/** Gives each attribute of an offer the column of its name: `<a name="Producent">` in `<attrs>` is `Producent`. */
export function ceneoElements(events: RecordEvents): XmlEvents {
  return namedElements(events, {
    isNamed: (element, around) => element === 'a' && around === 'attrs',
    isHolder: (element) => element === 'attrs',
    nameOf: (name) => (ELEMENTS.test(name) ? `attr ${name}` : name),
  });
}
