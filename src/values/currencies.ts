/** How amounts name their currency, in lower case and without full stops; `kr` and the like stand for several. */
const SPELLINGS: Record<string, string> = {
  EUR: '€ eur euro euros евро',
  USD: '$ us$ usd dollar доллар долл',
  RUB: '₽ руб рубль рублей р rub rur',
  UAH: '₴ грн uah',
  KZT: '₸ тг тенге kzt',
  BYN: 'byn бел.руб',
  PLN: 'zł zl pln',
  CZK: 'kč kc czk',
  HUF: 'ft huf',
  RON: 'lei leu ron',
  BGN: 'лв bgn',
  RSD: 'din дин rsd',
  CHF: 'chf fr sfr',
  GBP: '£ gbp',
  SEK: 'sek',
  NOK: 'nok',
  DKK: 'dkk',
  TRY: '₺ tl try',
  CNY: '¥ cny rmb 元 人民币',
  JPY: 'jpy 円',
  AED: 'aed dhs',
  INR: '₹ inr rs',
  '': 'kr у.е',
};

const CURRENCIES = new Map(
  Object.entries(SPELLINGS).flatMap(([code, names]) => names.split(' ').map((name) => [name, code] as const)),
);

/** The ISO code of a currency's sign, code or word; empty when the word stands for several, null when it is none. Pure. */
export function currencyOf(word: string): string | null {
  return CURRENCIES.get(word.toLowerCase().replace(/\.$/, '')) ?? null;
}
