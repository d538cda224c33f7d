import type { RecordEvents } from '../records/events.ts';
import type { XmlEvents } from './parse-xml.ts';

/** Elements as they are, without a vocabulary. */
export function plainElements(events: RecordEvents): XmlEvents {
  return {
    open: (name, attributes) => {
      events.enter(name);
      for (const [key, value] of attributes) events.attribute(key, value);
    },
    text: events.text,
    close: events.leave,
  };
}
