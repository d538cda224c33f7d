// Writes the sample suppliers' files under examples/: `node bin/pinned.mjs scripts/write-examples.ts`.
// The files look like the trade's real ones and are the same bytes at every run. No real company's list is copied.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { ZipFile } from 'yazl';
import { assortment, type Random } from './example-parts.ts';

const ROOT = fileURLToPath(new URL('../examples/', import.meta.url));

const RUSSIAN = [
  'Фильтр масляный',
  'Фильтр воздушный',
  'Колодки тормозные передние',
  'Диск тормозной',
  'Амортизатор задний',
  'Рычаг подвески нижний',
  'Подшипник ступицы',
  'Ремень ГРМ, комплект',
  'Насос водяной',
  'Свеча зажигания',
];
const GERMAN = [
  'Ölfilter',
  'Luftfilter',
  'Bremsbelagsatz vorne',
  'Bremsscheibe',
  'Stoßdämpfer hinten',
  'Querlenker unten',
  'Radlagersatz',
  'Zahnriemensatz',
  'Wasserpumpe',
  'Zündkerze',
];
const FRENCH = [
  'Filtre à huile',
  'Filtre à air',
  'Jeu de plaquettes de frein',
  'Disque de frein',
  'Amortisseur arrière',
  'Bras de suspension',
  'Roulement de roue',
  'Kit de distribution',
  'Pompe à eau',
  "Bougie d'allumage",
];
const POLISH = [
  'Filtr oleju',
  'Filtr powietrza',
  'Klocki hamulcowe przód',
  'Tarcza hamulcowa',
  'Amortyzator tył',
  'Wahacz dolny',
  'Łożysko koła',
  'Zestaw paska rozrządu',
  'Pompa wody',
  'Świeca zapłonowa',
];
const ENGLISH = [
  'Oil filter',
  'Air filter',
  'Brake pad set, front',
  'Brake disc',
  'Shock absorber, rear',
  'Control arm, lower',
  'Wheel bearing kit',
  'Timing belt kit',
  'Water pump',
  'Spark plug',
];

await Promise.all([north(), rhein(), lyon(), gdansk(), tagged(), nameless(), headless()]);

/** windows-1251 with `;` in a zip; some rows that only the service refuses, a few duplicates. */
async function north(): Promise<void> {
  const { next, article } = assortment(1);
  const rows = Array.from({ length: 900 }, () => {
    const part = article();
    return [
      part.brand,
      part.oem,
      pick(RUSSIAN, next),
      price(next, ','),
      stock(next),
      tags(next, ['тормоза', 'двигатель', 'подвеска']),
    ];
  });
  rows[120]![0] = 'NONSUCH';
  rows[121]![0] = 'NONSUCH';
  rows[300]![1] = 'АРТ?12%7';
  rows[450] = [...rows[449]!];
  rows[700] = [...rows[80]!];
  const text = [['Бренд', 'Артикул', 'Наименование', 'Цена', 'Остаток', 'Теги'], ...rows].map((row) => row.join(';'));
  await save(
    'north/price-north.zip',
    await zip('Прайс_Север.csv', iconv.encode(`${text.join('\r\n')}\r\n`, 'windows-1251')),
  );
}

/** UTF-16 LE with a byte order mark, tabs, `.txt`. */
async function rhein(): Promise<void> {
  const { next, article } = assortment(2);
  const rows = Array.from({ length: 600 }, () => {
    const part = article();
    return [part.brand, part.oem, pick(GERMAN, next), price(next, ','), stock(next)];
  });
  const text = [['Hersteller', 'Artikelnummer', 'Bezeichnung', 'Preis EUR', 'Bestand'], ...rows].map((row) =>
    row.join('\t'),
  );
  await save('rhein/Preisliste_Rhein.txt', iconv.encode(`${text.join('\r\n')}\r\n`, 'utf-16le', { addBOM: true }));
}

/** UTF-8 with a byte order mark, CRLF, quoted cells with delimiters, quotes and line breaks inside; some names are too long for the service. */
async function lyon(): Promise<void> {
  const { next, article } = assortment(3);
  const rows = Array.from({ length: 500 }, (_row, at) => {
    const part = article();
    const name = pick(FRENCH, next);
    const note =
      at % 25 === 0
        ? `${name}, "qualité origine"\r\nlivré par paire`
        : at % 7 === 0
          ? `${name}, Ø ${10 + (at % 50)} mm`
          : name;
    return [part.brand, part.oem, note, price(next, ','), tags(next, ['freinage', 'moteur', 'filtration'])];
  });
  for (const at of [40, 41, 310]) rows[at]![2] = `Kit complet ${'avec vis, joint et notice de montage '.repeat(8)}`;
  const text = [['Marque', 'Référence', 'Désignation', 'Prix', 'Tags'], ...rows].map((row) =>
    row.map(quoted).join(','),
  );
  await save('lyon/tarif_lyon.csv', Buffer.from(`\uFEFF${text.join('\r\n')}\r\n`));
}

/** A gzip of plain UTF-8 with `;`, larger than the others. */
async function gdansk(): Promise<void> {
  const { next, article } = assortment(4);
  const rows = Array.from({ length: 1200 }, () => {
    const part = article();
    return [part.brand, part.oem, pick(POLISH, next), stock(next)];
  });
  const text = [['Brand', 'Article', 'Name', 'Qty'], ...rows].map((row) => row.join(';'));
  await save('gdansk/cennik_gdansk.csv.gz', gzipSync(Buffer.from(`${text.join('\n')}\n`), { level: 9 }));
}

/** Some rows have 21 tags: one more than the service allows. */
async function tagged(): Promise<void> {
  const { next, article } = assortment(5);
  const rows = Array.from({ length: 300 }, (_row, at) => {
    const part = article();
    const many = Array.from({ length: at % 30 === 7 ? 21 : at % 30 === 8 ? 20 : 2 }, (_tag, n) => `fits-${n + 1}`);
    return [part.brand, part.oem, pick(ENGLISH, next), many.join(',')];
  });
  const text = [['brand', 'part number', 'description', 'tags'], ...rows].map((row) => row.join('\t'));
  await save('tagged/fitment-list.txt', Buffer.from(`${text.join('\n')}\n`));
}

/** Some rows have no brand. */
async function nameless(): Promise<void> {
  const { next, article } = assortment(6);
  const rows = Array.from({ length: 400 }, (_row, at) => {
    const part = article();
    return [at % 16 === 3 ? '' : part.brand, part.oem, pick(ENGLISH, next), price(next, '.'), stock(next)];
  });
  const text = [['BRAND', 'OEM', 'NAME', 'PRICE', 'STOCK'], ...rows].map((row) => row.map(quoted).join(','));
  await save('nameless/stock.csv', Buffer.from(`${text.join('\r\n')}\r\n`));
}

/** The brand column is missing: the file is rejected and nothing of it is uploaded. */
async function headless(): Promise<void> {
  const { next, article } = assortment(7);
  const rows = Array.from({ length: 200 }, () => [article().oem, pick(ENGLISH, next), price(next, '.')]);
  const text = [['Article', 'Description', 'Price'], ...rows].map((row) => row.map(quoted).join(','));
  await save('headless/pricelist.csv', Buffer.from(`${text.join('\n')}\n`));
}

function pick(list: readonly string[], next: Random): string {
  return list[next(list.length)] ?? '';
}

function price(next: Random, point: string): string {
  return `${3 + next(400)}${point}${String(next(100)).padStart(2, '0')}`;
}

function stock(next: Random): string {
  return next(9) === 0 ? '>100' : String(next(60));
}

function tags(next: Random, words: readonly string[]): string {
  return words.filter(() => next(2) === 0).join(',');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

async function zip(name: string, content: Buffer): Promise<Buffer> {
  const file = new ZipFile();
  file.addBuffer(content, name, { mtime: new Date(Date.UTC(2026, 0, 1)) });
  file.end();
  return buffer(file.outputStream);
}

async function save(name: string, content: Buffer): Promise<void> {
  const path = join(ROOT, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
