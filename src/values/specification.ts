/** What stands below a header of a template and says how its columns are to be filled in. */
const TYPES =
  'text|string|str|char|varchar|alphanumeric|alphanum|number|numeric|integer|int|decimal|float|double|date|datetime|boolean|bool|' +
  'строка|строковый|текст|число|числовое|целое|целое число|дата|рядок|ціле|' +
  'zahl|ganzzahl|dezimalzahl|zeichenkette|datum|texto|cadena|número|numero|entero|fecha|texte|chaîne|nombre|entier|testo|stringa|intero|' +
  'tekst|liczba|ciąg|číslo|metin|sayı|sayi|tam sayı|szöveg|szám';
const NEEDS =
  'required|mandatory|optional|obligatory|not required|pflicht|pflichtfeld|pflichtangabe|optionales feld|muss|kann|' +
  'obligatorio|obligatoria|requerido|opcional|obligatório|obrigatório|obligatoire|requis|facultatif|optionnel|obbligatorio|opzionale|facoltativo|' +
  'обязательно|обязательное|обязательное поле|обязательный|необязательно|необязательное|не обязательно|опционально|' +
  "обов'язково|необов'язково|wymagane|opcjonalne|povinné|nepovinné|zorunlu|isteğe bağlı|kötelező|opcionális|verplicht|optioneel";
const WORD = new RegExp(
  String.raw`^[*([]*(?:${TYPES}|${NEEDS})(?:\s*\(\s*\d{1,4}(?:\s*[.,]\s*\d{1,2})?\s*\))?[\])*.!]*$`,
  'iu',
);
const LIMIT = /^(?:max|maximum|maximal|máx|макс|максимум)(?:\.\s*|\s+)\d{1,4}(?:\s+\p{L}+\.?)?$/iu;
const LABELS =
  'example|sample|beispiel|muster|пример|например|приклад|ejemplo|exemple|exemplo|esempio|przykład|příklad|példa|örnek|voorbeeld|exemplu|παράδειγμα';
/** `Example: 68003701AC`, `e.g. BOSCH`. */
const EXAMPLE = new RegExp(String.raw`^[\s*(["']*(?:e\. ?g\.|z\. ?b\.|(?:${LABELS})\s*:)`, 'iu');
/** The words of cells that say what is to be filled in. */
export function specificationWords(): string[] {
  return [TYPES, NEEDS, LABELS, 'max', 'máx', 'макс'].flatMap((words) => words.split('|'));
}

/** Amounts and ranges, which say how large a value may be, or are those of an example. */
const AMOUNT = /^[\d\s.,:%€$£₽–-]+$/u;
/** Fewer cells may be an offer. */
const LEAST_SPECIFIED = 3;

/** Whether a cell says what is to be filled in: a type, whether it is required, how long it may be, or an example. */
export function isSpecified(cell: string): boolean {
  const text = cell.trim();
  return WORD.test(text) || LIMIT.test(text) || isExample(text);
}

/** Whether a cell is an example of what is to be filled in, and says so. */
export function isExample(cell: string): boolean {
  return EXAMPLE.test(cell);
}

/**
 * Whether a row says how the columns are to be filled in, and holds nothing else: `text;text;number`, `required;required;optional`,
 * `max. 40;max. 30;12,2`. Pure.
 */
export function isSpecification(cells: string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const specified = filled.filter(isSpecified).length;
  return (
    filled.length >= LEAST_SPECIFIED &&
    specified * 2 >= filled.length &&
    filled.every((cell) => AMOUNT.test(cell) || isSpecified(cell))
  );
}
