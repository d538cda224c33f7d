import { globSync, readFileSync } from 'node:fs';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { catalogue, languages, USUAL_LANGUAGE } from '../../../src/wording/language/language.ts';

const usual = catalogue(USUAL_LANGUAGE);
const source = globSync('src/**/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('there are catalogues in English, German, Polish and Russian', () => {
  expect(languages()).toEqual(expect.arrayContaining(['de', 'en', 'pl', 'ru']));
});

test('each language has a name of its own, by which readers find it', () => {
  const names = languages().map((language) => catalogue(language)['language.name']);
  expect(new Set(names).size).toBe(languages().length);
});

test('every message is said somewhere', () => {
  const isSaid = (key: string) =>
    [`'${key}'`, `"${key}"`, `\`${key}\``].some((literal) => source.includes(literal)) ||
    prefixes(key).some((prefix) => source.includes(`\`${prefix}\${`));
  expect(Object.keys(usual).filter((key) => !isSaid(key))).toEqual([]);
});

test('in Polish a delivery is a przesyłka and a run an uruchomienie, wherever they are spoken of', () => {
  const others = /\bdostaw(?:a|y|ie|ę|ą|om|ami|ach)?(?!\p{L})|\bprzebieg/iu;
  // The course of a run, not the run.
  const { 'report.timeline.title': _course, ...messages } = catalogue('pl');
  expect(Object.entries(messages).filter(([, message]) => others.test(message))).toEqual([]);
});

describe.each(languages())('the catalogue of %s', (language) => {
  const messages = catalogue(language);

  test('has every message once, in order', () => {
    expect(Object.keys(messages)).toEqual(Object.keys(usual).toSorted());
  });

  test('fills in the same facts', () => {
    for (const [key, message] of Object.entries(messages)) {
      expect({ key, facts: factsOf(message) }).toEqual({ key, facts: factsOf(usual[key] ?? '') });
    }
  });

  test('has the same cases to choose from, and the same words to type', () => {
    for (const [key, message] of Object.entries(messages)) {
      const said = usual[key] ?? '';
      expect({ key, cases: casesOf(message) }).toEqual({ key, cases: casesOf(said) });
      expect({ key, typed: typedIn(message) }).toEqual({ key, typed: typedIn(said) });
    }
  });

  test('has the plurals of its language and no apostrophe that would quote', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(messages)) {
      expect({ key, quoted: message.includes("'") }).toEqual({ key, quoted: false });
      for (const plural of pluralsOf(parsed(message))) {
        expect({ key, forms: Object.keys(plural.options) }).toEqual({
          key,
          forms: expect.arrayContaining(forms) as string[],
        });
      }
    }
  });
});

function prefixes(key: string): string[] {
  const parts = key.split('.');
  return parts.slice(0, -1).map((_, at) => `${parts.slice(0, at + 1).join('.')}.`);
}

function parsed(message: string): MessageFormatElement[] {
  return parse(message, { ignoreTag: true });
}

/** The names of the facts that a message speaks of. */
function factsOf(message: string): string[] {
  return [...new Set(namesIn(parsed(message)))].sort();
}

function namesIn(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [element.value];
    return [element.value, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))];
  });
}

/** Each choice of a message that is none of a plural: its fact, and what the fact may be. */
function casesOf(message: string): string[] {
  return [...new Set(selectsIn(parsed(message)))].sort();
}

function selectsIn(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const own =
      element.type === TYPE.select ? [`${element.value}: ${Object.keys(element.options).sort().join(', ')}`] : [];
    return [...own, ...Object.values(element.options).flatMap(({ value }) => selectsIn(value))];
  });
}

/** Commands, options and names that readers type as they are. */
function typedIn(message: string): string[] {
  return [...message.matchAll(/`[^`]+`|offerline [a-z]+ [a-z]+ NAME|Authorization: Bearer TOKEN/gu)].map(String).sort();
}

function pluralsOf(elements: MessageFormatElement[]): Extract<MessageFormatElement, { type: TYPE.plural }>[] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const inner = Object.values(element.options).flatMap(({ value }) => pluralsOf(value));
    return element.type === TYPE.plural ? [element, ...inner] : inner;
  });
}
