import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import english from '../../../locales/en.json' with { type: 'json' };
import { openLanguage, USUAL_LANGUAGE, type Language } from '../../../src/wording/language/language.ts';
import { keptSaid } from '../../../src/wording/ops/kept-said.ts';
import { englishIn } from '../../support/english.ts';
import { LANGUAGES } from '../managers/told.ts';
import { SENTENCES } from './kept-sentences.ts';

/** Errors that the console shows beside runs, files and decisions; docs/reference/troubleshooting.md has each message of the code. */
const CODES = ['file-rejected', 'pull-failed', 'conflict', 'not-found', 'disk-full', 'lease-lost'];
/** What may stand where a message has a fact: one of them gives a sentence that the code can say. */
const FACTS = ['12', 'x', '"x"', 'deleted', 'delete', 'redirects', 'feed', 'missing', '302', '400', '401', '403', '404']
  .concat(['407', '408', '410', '425', '429', '503'])
  .map((fact) => [fact, fact] as const);

/** Messages that only the command line says, or that name servers of one's own: these stay English. */
const ENGLISH_ONLY =
  /hooks list|proposal|proposed for|was verified as live yet|backup|What to go on with|Workers still keep|The archive that is named now|--data\b|--port\b|--host\b|may not use port|Nothing explains|ledger|another prune|configuration was written|SHA-256|neither a run nor|no operation|no run of a feed|There is no … (?:"…"\. Known|of run)|^… (?:cannot be read \(|could not be read to its end|is not a file)|^… is ……|^… is broken JSON…|^… ended … after/iu;

const page = readFileSync(new URL('../../../docs/reference/troubleshooting.md', import.meta.url), 'utf8');
const messages = CODES.flatMap((code) => {
  const section = page.split(`\n### \`${code}\`\n`)[1]?.split('\n### ')[0] ?? '';
  return [...section.matchAll(/^- “(.*)”$/gmu)].map(([, message = '']) => message.replaceAll('\\', ''));
}).filter((message) => !ENGLISH_ONLY.test(message));

/** A message with facts for which there are words; undefined where there are none. */
function sampleOf(message: string, language: Language): string | undefined {
  return FACTS.map(([fact]) => message.replaceAll('…', fact)).find((text) => keptSaid(text, language) !== null);
}

test('there are messages of each of these codes', () => {
  expect(messages.length).toBeGreaterThan(250);
});

describe.each(LANGUAGES.filter(([name]) => name !== USUAL_LANGUAGE))('in %s', (_, language) => {
  test.each(messages)('%s', (message) => {
    const sample = sampleOf(message, language) ?? message;
    const said = keptSaid(sample, language);
    expect(said?.text).toMatch(/\p{L}{2}/u);
    expect(englishIn((said?.text ?? '').replaceAll(/["“„«].*?["”“»]|`[^`]*`/gu, ''))).toEqual([]);
  });
});

test('each message for kept sentences is reached by one of them', () => {
  const reached = new Set<string>();
  const language = openLanguage('en');
  const say: Language['say'] = (key, facts) => {
    reached.add(key);
    return language.say(key, facts);
  };
  const samples = messages.map((message) => sampleOf(message, language) ?? message);
  for (const kept of [...SENTENCES, ...samples, 'outcome: held: too few rows']) keptSaid(kept, { ...language, say });
  const all = Object.keys(english).filter((key) => key.startsWith('kept.'));
  expect(all.filter((key) => !reached.has(key))).toEqual([]);
});
