import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needsTidying, tidyText, tidyTexts, type Habits } from '../../src/io/tidy-text.ts';
import { repetitions } from '../support/repetitions.ts';

const SPACED: Habits = { delimiter: ',', quote: '"', newline: '\n', spacedQuotes: true, wholeLines: false };
const APOSTROPHES: Habits = { ...SPACED, quote: "'" };
const TABS: Habits = { ...SPACED, delimiter: '\t' };
const WHOLE: Habits = { ...SPACED, spacedQuotes: false, wholeLines: true };
const RETURNS: Habits = { delimiter: ';', quote: '"', newline: '\r\r\n', spacedQuotes: false, wholeLines: false };

test.each([
  [SPACED, 'ATE, "disc, front",  "x"\n', 'ATE,"disc, front","x"\n'],
  [SPACED, 'ATE\n "disc"', 'ATE\n"disc"'],
  [SPACED, ' "disc, front",ATE', '"disc, front",ATE'],
  [SPACED, 'ATE, "",1', 'ATE,"",1'],
  [SPACED, 'ATE,\t"disc, front", \t"x"\n', 'ATE,"disc, front","x"\n'],
  [SPACED, 'ATE, """V"" disc, front", 1', 'ATE,"""V"" disc, front", 1'],
  [SPACED, 'ATE, "5\\" disc, \\"front\\"", 1', 'ATE,"5\\" disc, \\"front\\"", 1'],
  [SPACED, "ATE, 'disc, front'", "ATE, 'disc, front'"],
  [APOSTROPHES, "ATE, 'disc, front',\t''\n", "ATE,'disc, front',''\n"],
  [TABS, 'ATE\t "disc"\t\t "x"', 'ATE\t"disc"\t\t"x"'],
  [SPACED, '"pads, ""front"" side"', '"pads, ""front"" side"'],
  [SPACED, 'ATE; "disc"', 'ATE; "disc"'],
  [WHOLE, '"ATE,disc,1"\r\n"TRW,""disc, front"",2"\n', 'ATE,disc,1\r\nTRW,"disc, front",2\n'],
  [WHOLE, '"ATE","disc"\n"x" y\n', '"ATE","disc"\n"x" y\n'],
  [RETURNS, 'ATE;1\r\r\nTRW;2\r\n\r\r\r\n', 'ATE;1\r\nTRW;2\r\n\r\r\n'],
])('%j: %j', (habits, text, tidied) => {
  expect(tidyText(text, habits)).toBe(tidied);
});

test('a text without such habits needs none of it', () => {
  expect(needsTidying({ newline: '\r\n', spacedQuotes: false, wholeLines: false })).toBe(false);
  expect([SPACED, RETURNS, WHOLE].map(needsTidying)).toEqual([true, true, true]);
});

describe('a text in pieces', () => {
  async function* pieces(text: string, cuts: number[]) {
    const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
    for (const [at, place] of [0, ...places].entries()) yield await Promise.resolve(text.slice(place, places[at]));
  }

  test('is mended the same, wherever it is cut', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ',', ' ', '\t', '"', '"', "'", '\r', '\n', ';'),
      maxLength: 60,
    });
    const habits = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', null),
      quote: fc.constantFrom('"', "'", null),
      newline: fc.constantFrom('\n', '\r\r\n'),
      spacedQuotes: fc.boolean(),
      wholeLines: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(text, habits, fc.array(fc.nat(), { maxLength: 8 }), async (whole, habit, cuts) => {
        let joined = '';
        for await (const piece of tidyTexts(pieces(whole, cuts), habit)) joined += piece;
        expect(joined).toBe(tidyText(whole, habit));
      }),
      {
        numRuns: repetitions(2000),
        // A line end of three characters is not cut where the text of its line is.
        examples: [
          ['\r\r\na', { delimiter: ',', quote: '"', newline: '\r\r\n', spacedQuotes: false, wholeLines: true }, []],
        ],
      },
    );
  });
});
