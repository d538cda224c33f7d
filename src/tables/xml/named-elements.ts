import type { RecordEvents } from '../records/events.ts';
import type { XmlEvents } from './parse-xml.ts';

/** How a vocabulary names columns by an attribute of an element. */
type Naming = {
  /** Whether the column of an element, inside another one and with these attributes, is called as its attribute `name` says. */
  isNamed: (element: string, around: string, attributes: string[]) => boolean;
  /** Whether an element only holds such elements, and is no part of the column's name. */
  isHolder: (element: string) => boolean;
  /** What the column is called. */
  nameOf: (name: string, unit: string) => string;
};

/** Elements as they are, but for those whose attribute `name` names their column. */
export function namedElements(events: RecordEvents, { isNamed, isHolder, nameOf }: Naming): XmlEvents {
  const open: string[] = [];
  return {
    open: (element, attributes) => {
      const around = open.at(-1) ?? '';
      open.push(element);
      if (isHolder(element)) return;
      const of = (key: string) => attributes.find(([name]) => name === key)?.[1].trim() ?? '';
      const name = isNamed(
        element,
        around,
        attributes.map(([key]) => key),
      )
        ? of('name')
        : '';
      if (name !== '') {
        events.enter(nameOf(name, of('unit')), 'named');
        const value = of('value');
        if (value !== '') events.text(value);
        return;
      }
      events.enter(element);
      for (const [key, value] of attributes) events.attribute(key, value);
    },
    text: events.text,
    close: () => {
      if (!isHolder(open.pop()!)) events.leave();
    },
  };
}
