import type { Dialect } from '../../model.ts';
import type { EvidencePhrase } from '../columns/evidence-in.ts';
import type { Language } from '../language/language.ts';
import { readingText } from '../managers/reading-words.ts';

const NEWLINES: Record<string, string> = { '\r\n': 'CRLF', '\n': 'LF', '\r': 'CR' };

/** How a file is written: character set, delimiter, quotes, line ends, headings. */
export function dialectWords(dialect: Dialect, language: Language): string {
  const { format, sheet, charset, bom, delimiter, quote, newline, header } = dialect;
  const { say } = language;
  const head = say('dialect.header', { header: header ? 'yes' : 'no' });
  if (format !== 'text' || charset === null || newline === null) {
    const place = sheet === null ? [] : [say('dialect.sheet', { sheet })];
    return [say('dialect.format', { format }), ...place, head].join(', ');
  }
  return [
    readingText({ charset, delimiter }, language),
    ...(bom ? [say('dialect.bom')] : []),
    quote === null ? say('dialect.noQuotes') : say('dialect.quote', { quote }),
    say('dialect.lines', { ending: NEWLINES[newline] ?? JSON.stringify(newline) }),
    head,
  ].join(', ');
}

/** Why a column is taken for a column of the offer file. */
export function evidenceWords(phrases: EvidencePhrase[], { say }: Language): string {
  return phrases
    .map((phrase) => {
      const { code, ...facts } = phrase;
      // Hyphens are no part of a choice.
      if (code === 'looks') return say('evidence.looks', { ...facts, looks: phrase.looks.replaceAll('-', '_') });
      return say(`evidence.${code}`, facts);
    })
    .join('; ');
}
