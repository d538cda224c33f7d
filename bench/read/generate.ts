import { closeSync, openSync, writeSync } from 'node:fs';
import iconv from 'iconv-lite';

const BRANDS = [
  'BOSCH',
  'MANN-FILTER',
  'ATE',
  'Lemförder',
  'SACHS',
  'VALEO',
  'ЛУКОЙЛ',
  'БелМаг',
  'Febi Bilstein',
  'NGK',
];
const NAMES = [
  'Колодки тормозные дисковые передние, комплект',
  'Фильтр масляный двигателя 1.6 16V',
  'Рычаг подвески нижний левый',
  'Амортизатор газомасляный задний правый',
  'Brake pad set, front axle',
  'Oil filter',
  'Подшипник ступицы колеса с кольцом ABS',
  'Ремень ГРМ 137 зубьев',
  'Shock absorber, rear',
];
const TAGS = ['тормоза', 'двигатель', 'подвеска', 'oem', 'sale', 'new', 'eu-stock', 'фильтры'];
/** How much smaller the same rows are in a charset of one byte per letter. */
const SINGLE_BYTE_SHARE = 0.7;
const BATCH = 5000;

/** A small generator of numbers that gives the same series everywhere (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Writes a supplier's file of at most `bytes` bytes of UTF-8 (fewer in other charsets), less by half a megabyte at most: `;`,
 * CRLF, six columns, one name in ten quoted. Of 1,000 rows about 3 lack the brand, 3 have a cell too many, 2 have 25 tags and
 * 5 repeat a part. Answers the number of rows.
 */
export function generateOffers(path: string, bytes: number, charset: string): number {
  const random = randomFrom(20_260_101);
  const file = openSync(path, 'w');
  const limit = charset === 'utf-8' ? bytes : bytes * SINGLE_BYTE_SHARE;
  let rows = 0;
  let written = writeSync(file, iconv.encode('Бренд;Артикул;Наименование;Цена;Остаток;Теги\r\n', charset));
  for (;;) {
    let text = '';
    for (let at = 0; at < BATCH; at += 1) text += offer(rows + at, random);
    const batch = iconv.encode(text, charset);
    if (written + batch.length > limit) break;
    written += writeSync(file, batch);
    rows += BATCH;
  }
  closeSync(file);
  return rows;
}

function offer(row: number, random: (below: number) => number): string {
  const fate = random(1000);
  const number = fate < 5 ? random(row + 1) : row;
  const brand = fate >= 5 && fate < 8 ? '' : BRANDS[number % BRANDS.length];
  const oem = `${number % 7 === 0 ? 'A ' : ''}${String(number * 7919 + 1_000_000_007).replace(/(\d{3})(?=\d)/, number % 3 === 0 ? '$1-' : '$1')}`;
  const name = NAMES[random(NAMES.length)]!;
  const shown = row % 10 === 0 ? `"${name}; 5"""` : name;
  const tags = fate >= 8 && fate < 10 ? manyTags() : TAGS.slice(0, random(4)).join(',');
  const more = fate >= 10 && fate < 13 ? ';x' : '';
  return `${brand};${oem};${shown};${random(90_000)},${10 + random(90)};${random(60)};${tags}${more}\r\n`;
}

function manyTags(): string {
  return Array.from({ length: 25 }, (_, at) => `t${at}`).join(',');
}
