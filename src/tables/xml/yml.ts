import type { RecordEvents } from '../records/events.ts';
import type { XmlEvents } from './parse-xml.ts';
import { namedElements } from './named-elements.ts';

/** The list of an online shop (Yandex Market Language). */
export const YML_OFFERS = ['yml_catalog', 'shop', 'offers', 'offer'];

/** `vendorCode` is the maker's number by the definition of the format. */
export const YML_NAMES = { brand: 'vendor', oem: 'vendorCode' };

/** Elements of an offer: a parameter of the same name has a column of its own. */
const ELEMENTS =
  /^(?:vendor|vendorCode|name|model|typePrefix|price|oldprice|currencyId|categoryId|url|picture|description|barcode|count|weight|dimensions)$/;

/** Gives each parameter of an offer the column of its name: `<param name="Weight" unit="kg">` is `Weight, kg`. */
export function ymlElements(events: RecordEvents): XmlEvents {
  return namedElements(events, {
    isNamed: (element) => element === 'param',
    isHolder: () => false,
    nameOf: (name, unit) => {
      const own = ELEMENTS.test(name) ? `param ${name}` : name;
      return unit === '' ? own : `${own}, ${unit}`;
    },
  });
}
