import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const SEGMENTER = 'const segmenter = new Intl.Segmenter();';
const SEGMENTER_WHEN_NEEDED =
  'let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };';
const EMOJI = String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`;
const EMOJI_WHEN_NEEDED = String.raw`let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= new RegExp('^\\p{RGI_Emoji}$', 'v')).test(text) };`;

/** By library: what it makes when it is loaded, and the same made when it is first used. */
const MADE = new Map([
  [
    'string-width',
    [
      [SEGMENTER, SEGMENTER_WHEN_NEEDED],
      [EMOJI, EMOJI_WHEN_NEEDED],
    ],
  ],
  ['wrap-ansi', [[SEGMENTER, SEGMENTER_WHEN_NEEDED]]],
] as const);

/** What libraries for texts on a terminal load of ICU takes a fifth of the time of `runs`; texts in ASCII need none of it. */
export function madeWhenNeeded(root: string): Plugin {
  const changes = new Map([...MADE].map(([name, made]) => [join(root, 'node_modules', name, 'index.js'), made]));
  return {
    name: 'made-when-needed',
    transform: (code, id) => {
      const made = changes.get(id);
      if (made === undefined) return null;
      for (const [wanted] of made) {
        if (!code.includes(wanted))
          throw new Error(`${id} no longer has “${wanted}”: see whether this is still needed.`);
      }
      return { code: made.reduce((text, [before, after]) => text.replace(before, () => after), code), map: null };
    },
  };
}
