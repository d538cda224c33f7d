import { folded, isNotGiven, parseAmount } from './amounts.ts';

/**
 * What a stock cell says: a number (1 for "in stock"), with the least and the most that the cell allows, both the number itself where it is exact;
 * nothing; or something that is no stock.
 */
export type Stock =
  { kind: 'known'; value: number; least: number; most: number } | { kind: 'none' } | { kind: 'unreadable' };

const IN_STOCK = wordSet(
  'да,есть,в наличии,на складе,много,мало,достаточно,так,є,в наявності,багато,+,++,+++,++++,*,**,***,x,yes,y,true,in stock,on stock,' +
    'available,limited,low,low stock,many,few,plenty,ja,j,auf lager,lagernd,lieferbar,verfügbar,sofort lieferbar,vorrätig,' +
    'oui,disponible,en stock,sí,si,en existencia,sì,disponibile,sim,disponível,tak,dostępny,na stanie,ano,skladem,áno,na sklade,' +
    'igen,raktáron,készleten,da,în stoc,in stoc,na stanju,в наличност,op voorraad,var,stokta,mevcut,有货,有,현재고,在庫あり',
);
const OUT_OF_STOCK = wordSet(
  'нет,нет в наличии,нет на складе,отсутствует,под заказ,ожидается,в пути,немає,ні,під замовлення,-,–,—,no,n,false,out of stock,sold out,' +
    'not available,unavailable,none,nein,nicht lieferbar,nicht verfügbar,nicht auf lager,ausverkauft,vergriffen,auf bestellung,' +
    'non,rupture,rupture de stock,épuisé,indisponible,no disponible,agotado,sin existencias,esaurito,non disponibile,' +
    'não,esgotado,nie,brak,niedostępny,ne,není skladem,vyprodáno,nie je skladem,nem,nincs,elfogyott,nu,stoc epuizat,' +
    'няма,nee,niet op voorraad,yok,tükendi,无货,缺货,无,품절,在庫なし',
);

const UNITS =
  /\s*(?:шт|штук|ед|компл|к-т|pcs?|pieces?|units?|sets?|stk|stück|st|szt|ks|kusů|db|buc|бр|ud|uds|adet|个|件|個)\.?$/iu;

const NO_THREE_DECIMALS = { '.': 'thousands', ',': 'thousands' } as const;

/** Reads a stock: `12`, `>10`, `10+`, `10-50`, `5 шт`, `да`, `in stock`, `нет`. `<5` and `>0` count as one. Pure. */
export function parseStock(cell: string): Stock {
  // Most cells are.
  if (/^\d{1,9}$/.test(cell)) return exactly(Number(cell));
  const text = folded(cell);
  if (IN_STOCK.has(text)) return { kind: 'known', value: 1, least: 1, most: Infinity };
  if (OUT_OF_STOCK.has(text)) return exactly(0);
  if (isNotGiven(text)) return { kind: 'none' };
  const bare = text.replace(UNITS, '');
  const [, sign = '', low = '', open = '', high = ''] =
    /^([<>≤≥=~≈]*)\s*(-?\d[\d.,' ]*?)\s*(?:(\+)|(?:-|–|—|\.\.+|…)\s*(\d[\d.,' ]*))?$/u.exec(bare) ?? [];
  const amount = amountOf(low);
  if (amount === null) return { kind: 'unreadable' };
  const value = Math.max(0, amount);
  if (/[<≤]/u.test(sign)) return atMost(value, sign);
  if (/[>≥]/u.test(sign)) return atLeast(value, sign);
  const most = open === '' ? Math.max(value, amountOf(high) ?? value) : Infinity;
  return { kind: 'known', value, least: value, most };
}

function exactly(value: number): Stock {
  return { kind: 'known', value, least: value, most: value };
}

/** Whoever writes `<5` has some; of `<1` and `≤1` that is not said. */
function atMost(limit: number, sign: string): Stock {
  const isBelow = !/[=≤]/u.test(sign);
  const most = isBelow ? Math.max(0, Math.ceil(limit) - 1) : Math.floor(limit);
  const value = sign.startsWith('<') ? Math.min(1, Math.max(0, Math.ceil(limit) - 1)) : limit;
  return { kind: 'known', value, least: limit > 1 ? Math.min(1, most) : 0, most };
}

function atLeast(limit: number, sign: string): Stock {
  const least = /[=≥]/u.test(sign) ? limit : Math.floor(limit) + 1;
  return { kind: 'known', value: sign === '>' && limit === 0 ? 1 : limit, least, most: Infinity };
}

function amountOf(text: string): number | null {
  const amount = text === '' ? null : parseAmount(text, NO_THREE_DECIMALS);
  return amount?.kind === 'known' ? amount.value : null;
}

function wordSet(words: string): Set<string> {
  return new Set(words.split(','));
}
