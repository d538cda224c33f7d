/** A cell as it was cut. */
type Cell = { text: Uint8Array; quoted: boolean; doubled: boolean };

type Parts = { bytes: Uint8Array; view: DataView; settings: () => Record<string, number> };

const [END, TEXT, LINE, COUNT, VALUE] = [0, 1, 2, 3, 4];
const LONGEST_VALUE = 200;
const MOST_TEXT = 8192;
const [SPACE, QUOTE, BACKSLASH] = [32, 34, 92];
const CELL_COUNT = 0;

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
    const { templates, asCsv, nameCount, delimiter, quote, findingTexts, findingsEnd } = settings();
    const template = word(templates! + kind * 4);
    const texts = cells.map(({ text }) => latin(text));
    const rowBytes = texts.join(';').length + cells.filter(({ quoted }) => quoted).length * 2;
    const quotable = asCsv === 1 && quote === QUOTE;
    const isPlain = cells.every(({ text, quoted }) => {
      if (quoted && !quotable) return false;
      if (!quoted && (text.includes(QUOTE) || text.includes(quote!))) return false;
      return text.every((byte) => byte !== BACKSLASH && (byte >= SPACE || byte === delimiter));
    });
    const isSafe = asCsv === 0 || [latin(value), ...texts].every((text) => text === '' || !isFormula(text));
    if (template === 0 || value.length > LONGEST_VALUE || !isPlain || !isSafe) return false;
    if (textAt + rowBytes + (cells.length + nameCount!) * 4 + MOST_TEXT > findingsEnd!) return false;
    if (findingAt.value + 16 > findingTexts!) return false;
    let text = '';
    for (let at = template; word(at) !== END; at += 12) {
      if (word(at) === TEXT) text += latin(bytes.slice(word(at + 4), word(at + 4) + word(at + 8)));
      else if (word(at) === LINE) text += String(line);
      else if (word(at) === COUNT) text += String(count);
      else if (word(at) === VALUE && kind === CELL_COUNT)
        text += joined(cells, String.fromCharCode(delimiter!), asCsv!);
      else if (word(at) === VALUE) text += asCsv === 0 ? latin(value) : csv(latin(value));
      else text += asCsv === 0 ? texts.map((cell) => `"${cell}"`).join(',') : csvCells(cells, nameCount!);
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

function csvCells(cells: Cell[], names: number): string {
  const written = cells.map(({ text, doubled }) => (doubled ? `"${latin(text)}"` : csv(latin(text))));
  const named = Array.from({ length: names }, (_, at) => `${written[at] ?? ''},`);
  return named.join('') + joined(cells.slice(names), ' | ', 1);
}

function joined(cells: Cell[], between: string, asCsv: number): string {
  const text = cells.map((cell) => latin(cell.text)).join(between);
  if (asCsv === 0) return text;
  return cells.some(({ doubled }) => doubled) ? `"${text}"` : csv(text);
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
