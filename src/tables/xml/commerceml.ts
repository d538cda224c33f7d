import { appendWithin, detached } from '../fit-row.ts';
import { LONGEST_NAME, type RecordEvents } from '../records/events.ts';
import type { XmlEvents } from './parse-xml.ts';

/** The two lists of CommerceML 2, which 1C writes: goods, and offers with prices and stock; offers stand in a parcel or in changes of it. */
export const COMMERCEML_LISTS = [
  { name: 'Товары', path: ['КоммерческаяИнформация', 'Каталог', 'Товары', 'Товар'] },
  { name: 'Предложения', path: ['КоммерческаяИнформация', '*', 'Предложения', 'Предложение'] },
];

export const COMMERCEML_NAMES = { brand: 'Изготовитель/Наименование', oem: 'Артикул' };

/** An element that says with two of its own what a column is called and what is in it. */
type Pair = { name: string; value: string; column: (name: string) => string };

const PAIRS = new Map<string, Pair>([
  ['ЗначениеРеквизита', { name: 'Наименование', value: 'Значение', column: requisite }],
  ['ХарактеристикаТовара', { name: 'Наименование', value: 'Значение', column: requisite }],
  ['ЗначенияСвойства', { name: 'Ид', value: 'Значение', column: requisite }],
  [
    'Цена',
    { name: 'ИдТипаЦены', value: 'ЦенаЗаЕдиницу', column: (name) => (/цена/i.test(name) ? name : `Цена ${name}`) },
  ],
]);
/** They hold pairs, and do not belong to the name of a column. */
const HOLDERS = new Set(['ЗначенияРеквизитов', 'ХарактеристикиТовара', 'ЗначенияСвойств', 'Цены']);
/** Names that the file gives to identifiers before it uses them. */
const NAMED = new Set(['Свойство', 'ТипЦены']);
/** Elements of goods: a requisite of the same name has a column of its own. */
const ELEMENTS = /^(?:Ид|Артикул|Наименование|Штрихкод|БазоваяЕдиница|Описание|Картинка|Количество)$/;

const MOST_NAMED = 10_000;

/** Gives requisites, characteristics, properties and kinds of prices columns of their own names. */
export function commerceElements(events: RecordEvents): XmlEvents {
  const plain = plainElements(events);
  const names = new Map<string, string>();
  /** The pair or definition that is open: how deep inside it we are, and the texts of its elements. */
  let open: { element: string; pair: Pair | undefined; depth: number; texts: Map<string, string> } | null = null;
  let part = '';

  function end({ element, pair, texts }: NonNullable<typeof open>): void {
    if (pair === undefined) {
      const [id, name] = [texts.get('Ид')?.trim(), texts.get('Наименование')?.trim()];
      if (id && name && names.size < MOST_NAMED)
        names.set(detached(id.slice(0, LONGEST_NAME)), detached(name.slice(0, LONGEST_NAME)));
    } else {
      const name = texts.get(pair.name)?.trim().slice(0, LONGEST_NAME) ?? '';
      events.enter(name === '' ? element : pair.column(names.get(name) ?? name), 'named');
      events.text(texts.get(pair.value) ?? '');
      events.leave();
    }
  }

  return {
    open: (element, attributes) => {
      const pair = PAIRS.get(element);
      if (open === null && (pair !== undefined || NAMED.has(element))) {
        open = { element, pair, depth: 0, texts: new Map() };
      } else if (open !== null) {
        part = ++open.depth === 1 ? element : '';
        const before = open.texts.get(part) ?? '';
        if (before !== '') open.texts.set(part, `${before},`);
      } else if (!HOLDERS.has(element)) plain.open(element, attributes);
    },
    text: (text) => {
      if (open === null) events.text(text);
      else if (open.depth === 1 && [open.pair?.name ?? 'Ид', open.pair?.value ?? 'Наименование'].includes(part)) {
        open.texts.set(part, appendWithin(open.texts.get(part) ?? '', text, 1 << 16));
      }
    },
    close: (element) => {
      if (open !== null && open.depth-- > 0) return;
      if (open !== null) {
        end(open);
        open = null;
      } else if (!HOLDERS.has(element)) events.leave();
    },
  };
}

/** Elements as they are, without a vocabulary. */
function plainElements(events: RecordEvents): XmlEvents {
  return {
    open: (name, attributes) => {
      events.enter(name);
      for (const [key, value] of attributes) events.attribute(key, value);
    },
    text: events.text,
    close: events.leave,
  };
}

function requisite(name: string): string {
  return ELEMENTS.test(name) ? `реквизит ${name}` : name;
}
