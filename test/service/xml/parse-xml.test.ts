import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../src/service/xml/parse-xml.ts';
import { repetitions } from '../../support/repetitions.ts';
import { chosenOf } from '../../support/suite/thirds.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

test('attributes, texts, CDATA and comments are read, and nothing is guessed to be a number', async () => {
  expect(
    await parseXml(
      '<?xml version="1.0"?>\n<A n="007" t=\'true\'> <!-- <b/> --><row k="1>2"/>x<![CDATA[<y>&amp;]]> z </A>',
    ),
  ).toEqual({
    name: 'A',
    attributes: { n: '007', t: 'true' },
    children: [{ name: 'row', attributes: { k: '1>2' }, children: [], text: '' }],
    text: 'x<y>&amp; z',
  });
});

test('the five entities of XML and characters by number are decoded once, others stay', async () => {
  const { attributes, text } = await parseXml(
    '<A a="&lt;&gt;&amp;&quot;&apos; &#65;&#x416; &nbsp; &amp;lt;">&#0;&#xD800;&lt;</A>',
  );
  expect(attributes['a']).toBe(`<>&"' AЖ &nbsp; &lt;`);
  expect(text).toBe('\uFFFD\uFFFD<');
});

test('what is not quite XML but leaves no doubt is read as the service wrote it', async () => {
  expect(
    await parseXml('<A a="x?b=1&c=2" b="\u0001"><!-- a -- & --> R&D &foo; &amp ]]> \u0002<![CDATA[&]]></A>'),
  ).toEqual({
    name: 'A',
    attributes: { a: 'x?b=1&c=2', b: '\uFFFD' },
    children: [],
    text: 'R&D &foo; &amp ]]> \uFFFD&',
  });
});

test('names that objects of JavaScript have are names', async () => {
  const { attributes, children } = await parseXml('<A constructor="1" __proto__="2"><toString __proto__="3"/></A>');
  expect(Object.entries(attributes)).toEqual([
    ['constructor', '1'],
    ['__proto__', '2'],
  ]);
  expect(attributes['toString']).toBeUndefined();
  expect(children[0]?.name).toBe('toString');
});

describe('what is refused', () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>';
  test.each([
    ['a document type with entities', bomb, 'declares a document type'],
    ['a document type that reads a file', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'declares a document type'],
    ['a document type after a comment', '<!-- x --><!DOCTYPE a><a/>', 'declares a document type'],
    ['a cut text', '<a><b></b>', 'unclosed tag'],
    ['a wrong end', '<a><b></a>', 'unexpected close tag'],
    ['two roots', '<a></a><b></b>', 'only one root'],
    ['no text', '', 'must contain a root element'],
    ['no XML', '{"data":[]}', 'outside of root'],
    ['deep nesting', '<a>'.repeat(600) + '</a>'.repeat(600), 'nested more than 500 deep'],
    ['an attribute twice', '<a b="1" b="2"/>', 'duplicate attribute'],
    ['a name without end', `<${'a'.repeat(10_000)}`, 'must contain a root element'],
    ['more elements than a catalog has', `<a>${'<b/>'.repeat(300_000)}</a>`, 'more than 300000 elements'],
  ])('%s', async (_name, text, why) => {
    await expect(parseXml(text)).rejects.toThrow(why);
  });

  test('a document type in a text or comment is none', async () => {
    expect((await parseXml('<a><!-- <!DOCTYPE x> --><![CDATA[<!DOCTYPE y>]]></a>')).text).toBe('<!DOCTYPE y>');
  });
});

/** Reading 4 MB of the first of these took hours when its time grew with the square of its length. */
test.each(
  chosenOf([
    ['comments without end', '<!--'],
    ['comments', '<!---->'],
    ['CDATA without end', '<![CDATA['],
    ['CDATA', '<![CDATA[x]]>'],
    ['brackets', '<'],
    ['declarations', '<!'],
    ['document types', '<!DOCTYPE '],
    ['instructions without end', '<?x '],
    ['instructions', '<?x?>'],
    ['tags without end', '<a '],
    ['attributes without value', 'b '],
    ['attributes without end', '<a b="'],
    ['ampersands', '&'],
    ['references', '&#'],
    ['references without end', '&#x00000000'],
    ['ends', '</a>'],
    ['ends of CDATA', ']]>'],
    ['spaces', ' '],
    ['line breaks', '\r\n'],
    ['elements among texts', 'x<b c="1"/>'],
  ]),
)('4 MB of %s are read or refused within the time of a test', async (_name, piece) => {
  const poison = piece.repeat(Math.ceil(4_000_000 / piece.length));
  for (const text of [`<a>${poison}</a>`, `<a ${poison}/>`, poison]) {
    const ended = await outcome(text);
    expect(ended === 'read' || (ended instanceof Error && !(ended instanceof TypeError))).toBe(true);
  }
});

test('other work goes on while a large text is read', async () => {
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  await parseXml(`<a>${'<b c="1">x</b>'.repeat(100_000)}</a>`);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
});

test('every text survives as attribute and as content', async () => {
  const words = fc.string({ unit: 'grapheme' }).filter((word) => !/\p{Cc}/u.test(word));
  await fc.assert(
    fc.asyncProperty(words, async (word) => {
      const { attributes, text } = await parseXml(`<A a="${escaped(word)}">${escaped(word)}</A>`);
      expect([attributes['a'], text]).toEqual([word, word.trim()]);
    }),
  );
});

test('any text is read or refused with an Error', async () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    'a',
    ' ',
    '"',
    '=',
    '&',
    '&lt;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<a>',
    '</a>',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const ended = await outcome(pieces.join(''));
      expect(ended === 'read' || (ended instanceof Error && !(ended instanceof TypeError))).toBe(true);
    }),
    { numRuns: repetitions(2000) },
  );
});

async function outcome(text: string): Promise<unknown> {
  try {
    return (await parseXml(text)).name === '' ? 'an element without a name' : 'read';
  } catch (error) {
    return error;
  }
}
