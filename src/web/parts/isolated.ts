import { html, type Part } from '../../wording/html.ts';

/** Letters that nobody writes, in the place of what is put in afterwards. */
const PLACE = '\uE000';

/**
 * A sentence with words of others in it, each apart from the direction in which the sentence is written. `say` is given what to put in the place of
 * each of them.
 */
export function isolated<Name extends string>(
  words: Readonly<Record<Name, string>>,
  say: (places: Record<Name, string>) => string,
): Part {
  const names = Object.keys(words) as Name[];
  const places = Object.fromEntries(names.map((name, at) => [name, `${PLACE}${at}${PLACE}`])) as Record<Name, string>;
  return say(places)
    .split(PLACE)
    .map((piece, at) => (at % 2 === 0 ? piece : html`<bdi>${words[names[Number(piece)]!]}</bdi>`));
}
