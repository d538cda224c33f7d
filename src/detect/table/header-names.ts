/** What price lists call their columns, beyond the names of the configuration; several languages of the trade. */
const TRADE_NAMES = `
brand, make, manufacturer, vendor, producer, supplier, article, article number, article no, item, item number, part,
part number, part no, number, code, product code, sku, oe, oe number, oem, oem number, ean, gtin, barcode, name, title,
description, product, product name, price, net price, gross price, retail price, price eur, price usd, cost, currency,
qty, quantity, stock, stock qty, available, availability, in stock, warehouse, delivery, delivery time, days, lead time,
pack, pack size, packing, moq, min qty, order, weight, group, category, tags, applicability, model, unit, comment,
remarks, id, url, link, date, status, type, city, country,
бренд, производитель, марка, фирма, изготовитель, поставщик, артикул, номер, каталожный номер, номер детали,
номер по каталогу, оригинальный номер, кат номер, код, код товара, наименование, наименование товара, название,
описание, номенклатура, товар, деталь, запчасть, цена, цена руб, цена с ндс, стоимость, опт, розница, валюта, кол-во,
количество, наличие, остаток, остатки, склад, срок, срок поставки, доставка, кратность, упаковка, мин партия, группа,
категория, теги, применимость, модель, ед, ед изм, единица, вес, штрихкод, комментарий, примечание,
виробник, назва, ціна, кількість, наявність, опис, залишок, каталожний номер,
hersteller, marke, lieferant, artikel, artikelnummer, artikelnr, artikel-nr, bestellnummer, teilenummer, kat-nr,
oe-nummer, hersteller-nr, bezeichnung, beschreibung, benennung, preis, vk, ek, uvp, netto, brutto, währung, menge,
anzahl, bestand, lagerbestand, lager, verfügbar, verfügbarkeit, lieferzeit, gewicht, einheit, warengruppe,
marque, fabricant, fournisseur, référence, réf, désignation, libellé, prix, prix ht, devise, quantité, qté, disponibilité,
délai, poids, famille,
marca, fabricante, proveedor, referencia, ref, descripción, denominación, precio, moneda, cantidad, existencias,
disponibilidad, plazo, peso, familia, produttore, codice, articolo, descrizione, prezzo, quantità, giacenza,
producent, marka, indeks, numer, numer części, kod, nazwa, opis, cena, cena netto, waluta, ilość, stan, dostępność,
výrobce, značka, číslo, kód, název, popis, množství, sklad, skladem, dostupnost, výrobca, názov, množstvo,
gyártó, cikkszám, megnevezés, leírás, ár, mennyiség, készlet, producător, denumire, preț, cantitate, stoc,
üretici, parça no, stok kodu, ürün adı, açıklama, fiyat, miktar, adet, stok,
gamintojas, pavadinimas, kaina, kiekis, ražotājs, nosaukums, daudzums, tootja, nimetus, hind, kogus,
品牌, 型号, 编号, 名称, 价格, 数量, 库存, 品番, 品名, メーカー, 価格, 数量, 在庫, 品牌, 料號, 價格, 數量, 庫存, 브랜드, 품번, 품명, 가격, 수량, 재고`;

const KNOWN = new Set(TRADE_NAMES.split(',').map(foldName));

/** Folds a header cell for comparison: case, spaces and punctuation do not matter. */
export function foldName(cell: string): string {
  return cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** The folded header names to look for: the trade's, and those that the configuration spells out. */
export function knownNames(extra: string[][] = []): Set<string> {
  return extra.length === 0 ? KNOWN : new Set([...KNOWN, ...extra.flat().map(foldName)]);
}
