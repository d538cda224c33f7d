import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../../src/service/catalog/command/parse-xml.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

test('attributes, texts, CDATA and comments are read, and nothing is guessed to be a number', () => {
  expect(
    parseXml('<?xml version="1.0"?>\n<A n="007" t=\'true\'> <!-- <b/> --><row k="1>2"/>x<![CDATA[<y>&amp;]]> z </A>'),
  ).toEqual({
    name: 'A',
    attributes: { n: '007', t: 'true' },
    children: [{ name: 'row', attributes: { k: '1>2' }, children: [], text: '' }],
    text: 'x<y>&amp; z',
  });
});

test('the five entities of XML and characters by number are decoded once, others stay', () => {
  const { attributes, text } = parseXml(
    '<A a="&lt;&gt;&amp;&quot;&apos; &#65;&#x416; &nbsp; &amp;lt;">&#0;&#xD800;&lt;</A>',
  );
  expect(attributes['a']).toBe(`<>&"' AЖ &nbsp; &lt;`);
  expect(text).toBe('\uFFFD\uFFFD<');
});

describe('what is refused', () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>';
  test.each([
    ['a document type with entities', bomb, 'declares a document type'],
    ['a document type that reads a file', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'declares a document type'],
    ['a document type after a comment', '<!-- x --><!doctype a><a/>', 'declares a document type'],
    ['a cut text', '<a><b></b>', 'Unclosed'],
    ['a wrong end', '<a><b></a>', "Expected closing tag 'b'"],
    ['two roots', '<a></a><b></b>', 'Multiple possible root'],
    ['no text', '', 'Start tag expected'],
    ['no XML', '{"data":[]}', 'is not expected'],
    ['deep nesting', '<a>'.repeat(600) + '</a>'.repeat(600), 'Maximum nested tags'],
    ['a name that is dangerous in JavaScript', '<a constructor="1"/>', 'SECURITY'],
  ])('%s', (_name, text, why) => {
    expect(() => parseXml(text)).toThrow(why);
  });

  test('a document type in a text or comment is none', () => {
    expect(parseXml('<a><!-- <!DOCTYPE x> --><![CDATA[<!DOCTYPE y>]]></a>').text).toBe('<!DOCTYPE y>');
  });
});

test('every text survives as attribute and as content', () => {
  const words = fc.string({ unit: 'grapheme' }).filter((word) => !/\p{Cc}/u.test(word));
  fc.assert(
    fc.property(words, (word) => {
      const { attributes, text } = parseXml(`<A a="${escaped(word)}">${escaped(word)}</A>`);
      expect([attributes['a'], text]).toEqual([word, word.trim()]);
    }),
  );
});

test('any text is read or refused with an Error', () => {
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
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const ended = outcome(pieces.join(''));
      expect(ended === 'read' || (ended instanceof Error && !(ended instanceof TypeError))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

function outcome(text: string): unknown {
  try {
    return parseXml(text).name === '' ? 'an element without a name' : 'read';
  } catch (error) {
    return error;
  }
}
