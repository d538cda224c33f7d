import type { RecordEvents } from '../records/events.ts';
import type { XmlEvents } from './parse-xml.ts';

type Attributes = [name: string, value: string][];

/** How a vocabulary names columns by an attribute of an element. */
type Naming = {
  /** Whether the column of an element, inside another one and with these attributes, is called as its attribute `name` says. */
  isNamed: (element: string, around: string, attributes: Attributes) => boolean;
  /** Whether an element only holds such elements, and is no part of the column's name. */
  isHolder: (element: string) => boolean;
  /** What the column is called. */
  nameOf: (name: string, unit: string) => string;
};

/** Elements as they are, but for those whose attribute `name` names their column; their value may be an attribute, too. */
export function namedElements(events: RecordEvents, { isNamed, isHolder, nameOf }: Naming): XmlEvents {
  const open: string[] = [];
  return {
    open: (element, attributes) => {
      const around = open.at(-1) ?? '';
      open.push(element);
      if (isHolder(element)) return;
      const name = isNamed(element, around, attributes) ? valueOf(attributes, 'name') : '';
      if (name === '') {
        events.enter(element);
        for (const [key, value] of attributes) events.attribute(key, value);
        return;
      }
      events.enter(nameOf(name, valueOf(attributes, 'unit')), 'named');
      const value = valueOf(attributes, 'value');
      if (value !== '') events.text(value);
    },
    text: events.text,
    close: () => {
      if (!isHolder(open.pop()!)) events.leave();
    },
  };
}

function valueOf(attributes: Attributes, wanted: string): string {
  return attributes.find(([name]) => name === wanted)?.[1].trim() ?? '';
}
