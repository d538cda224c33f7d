/** Languages in which servers name months. Of a short name that two of them give to different months the first one counts. */
const LANGUAGES = 'en de fr es it pt nl pl ru uk cs sk hu ro tr sv da nb fi el bg lt lv et hr sl id vi'.split(' ');

let months: Map<string, number> | undefined;

/** The number of a month, 1 to 12, by its name or a beginning of it in one of many languages; null for other words. */
export function monthOf(word: string): number | null {
  const counted = /^(\d{1,2})[月월]$/u.exec(word)?.[1];
  if (counted !== undefined) return Number(counted);
  months ??= allMonths();
  return months.get(folded(word)) ?? months.get(folded(word).slice(0, 3)) ?? null;
}

function allMonths(): Map<string, number> {
  const found = new Map<string, number>();
  for (const language of LANGUAGES) {
    for (const month of ['short', 'long'] as const) {
      // With a day, as months are declined in listings too.
      for (const day of [{}, { day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { month, ...day, timeZone: 'UTC' });
        for (let number = 1; number <= 12; number++) {
          const name = format.formatToParts(Date.UTC(2026, number - 1, 1)).find(({ type }) => type === 'month');
          const word = folded(name?.value ?? '');
          for (const length of [word.length, 4, 3]) {
            const beginning = word.slice(0, length);
            if (beginning.length >= 2 && !found.has(beginning)) found.set(beginning, number);
          }
        }
      }
    }
  }
  return found;
}

function folded(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/\p{M}|\./gu, '')
    .toLowerCase();
}
