/** A cell as it was cut. */
type Cell = { text: Uint8Array };

type Parts = { bytes: Uint8Array; view: DataView; settings: () => Record<string, number> };

const [END, TEXT, LINE, COUNT, VALUE] = [0, 1, 2, 3, 4];
const LONGEST_VALUE = 200;
const MOST_TEXT = 8192;
const SPACE = 32;

/** Writes findings as kernel/findings.ts does, as text. */
export function findingsTwin({ bytes, view, settings }: Parts) {
  const findingAt = { value: 0 };
  let textAt = 0;
  const word = (at: number) => view.getUint32(at, true);

  function open(): void {
    findingAt.value = settings()['findings']!;
    textAt = settings()['findingTexts']!;
  }

  function addFinding(kind: number, line: number, count: number, value: Uint8Array, cells: Cell[]): boolean {
    const { templates, asCsv, nameCount, delimiter, findingTexts, findingsEnd } = settings();
    const template = word(templates! + kind * 4);
    const texts = cells.map(({ text }) => latin(text));
    const row = texts.join(String.fromCharCode(delimiter!));
    const isPlain =
      Buffer.from(row, 'latin1').every((byte) => byte >= SPACE || byte === delimiter) && !/["\\]/.test(row);
    const isSafe = asCsv === 0 || [latin(value), ...texts].every((text) => text === '' || !isFormula(text));
    if (template === 0 || value.length > LONGEST_VALUE || !isPlain || !isSafe) return false;
    if (textAt + row.length + (cells.length + nameCount!) * 4 + MOST_TEXT > findingsEnd!) return false;
    if (findingAt.value + 16 > findingTexts!) return false;
    let text = '';
    for (let at = template; word(at) !== END; at += 12) {
      if (word(at) === TEXT) text += latin(bytes.slice(word(at + 4), word(at + 4) + word(at + 8)));
      else if (word(at) === LINE) text += String(line);
      else if (word(at) === COUNT) text += String(count);
      else if (word(at) === VALUE) text += asCsv === 0 ? latin(value) : csv(latin(value));
      else text += asCsv === 0 ? texts.map((cell) => `"${cell}"`).join(',') : csvCells(texts, nameCount!);
    }
    const end = textAt + text.length;
    bytes.set(Buffer.from(text, 'latin1'), textAt);
    for (const [at, value] of [kind, line, textAt, end].entries())
      view.setUint32(findingAt.value + at * 4, value, true);
    findingAt.value += 16;
    textAt = end;
    return true;
  }

  return { findingAt, open, addFinding };
}

function csvCells(texts: string[], names: number): string {
  const named = Array.from({ length: names }, (_, at) => `${csv(texts[at] ?? '')},`);
  return named.join('') + csv(texts.slice(names).join(' | '));
}

function csv(text: string): string {
  return text.includes(',') ? `"${text}"` : text;
}

function isFormula(text: string): boolean {
  return text < ' ' || '=+-@\xef'.includes(text[0]!);
}

function latin(text: Uint8Array): string {
  return Buffer.from(text).toString('latin1');
}
