import type { SignalExample, SignalFinding, Signals } from '../../model.ts';
import { inFile } from '../files/place.ts';
import type { Language } from '../language/language.ts';
import type { FindingWords } from '../signal-words.ts';

/** What is strange about a delivery, the most certain first, in sentences without a full stop. */
export function strangeFindings({ findings }: Signals, language: Language): FindingWords[] {
  return findings.map((finding) => ({
    sentence: sentenceOf(finding, language),
    examples:
      finding.code === 'prices-unreadable'
        ? finding.cells.map((cell) => language.say('quoted', { text: cell }))
        : finding.examples.map((example) => exampleText(example, language)),
  }));
}

function sentenceOf(finding: SignalFinding, language: Language): string {
  const { say, percent } = language;
  const factor = (value: number) => language.number(Number(value.toPrecision(3)));
  switch (finding.code) {
    case 'prices-scaled':
      return say('signal.prices-scaled', { ...sharedBy(finding, language), factor: factor(finding.factor) });
    case 'prices-jumped':
      return say('signal.prices-jumped', { ...sharedBy(finding, language), ratio: factor(finding.ratio) });
    case 'currency-changed':
      return say('signal.currency-changed', { before: finding.before, after: finding.after });
    case 'prices-equal':
      return say('signal.prices-equal', { ...sharedBy(finding, language), price: language.number(finding.price) });
    case 'prices-swapped':
      return say('signal.prices-swapped', { parts: finding.parts, of: finding.of });
    case 'prices-unreadable':
      return say('signal.prices-unreadable', { rows: finding.rows, of: finding.of });
    case 'stock-zero': {
      const stock = say('signal.stock-zero', { rows: finding.rows });
      return finding.before === null ? stock : say('signal.stock-zero.before', { ...finding.before, stock });
    }
    case 'small-for-weekday': {
      const { rows, usual, least, deliveries } = finding;
      return say('signal.small-for-weekday', { rows, usual, least, deliveries });
    }
    case 'names-gone': {
      const { rows, of, before } = finding;
      return say('signal.names-gone', { now: percent(rows / of), before: percent(1 - before.rows / before.of) });
    }
  }
}

function sharedBy({ parts, of }: { parts: number; of: number }, { percent }: Language) {
  return { parts, of, share: percent(parts / of) };
}

function exampleText({ file, sheet, line, brand, oem, before, after }: SignalExample, { say }: Language): string {
  const facts = { line: String(line), sheet: sheet ?? '' };
  const place = inFile(file, say(sheet === null ? 'report.place.line' : 'report.place.sheet', facts));
  const change = before === null ? say('quoted', { text: after }) : `${before} → ${after}`;
  return say('signal.example', { brand, oem, place, change });
}
