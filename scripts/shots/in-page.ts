/** What functions use that run in a page; the rest of the program knows of no DOM. */
type InPage = { document: PageDocument };

type PageDocument = {
  documentElement: { clientWidth: number; scrollWidth: number };
  createElement: (name: 'a') => PageLink;
  querySelectorAll: (selector: string) => Iterable<PageElement>;
};

type PageElement = {
  textContent: string | null;
  outerHTML: string;
  firstElementChild: PageElement | null;
  lastElementChild: PageElement | null;
  matches: (selector: string) => boolean;
  contains: (other: PageElement) => boolean;
  getBoundingClientRect: () => { right: number };
  getClientRects: () => { length: number };
  prepend: (child: PageElement) => void;
  append: (child: PageElement) => void;
  remove: () => void;
  setAttribute: (name: string, value: string) => void;
};

type PageLink = PageElement & { className: string; href: string };

/** Unfolds what is folded. */
export function unfold(): void {
  const { document } = globalThis as unknown as InPage;
  for (const folded of document.querySelectorAll('details')) folded.setAttribute('open', '');
}

/** What makes a page wider than its window: the innermost elements that stand out to the right. */
export function findOverflow(): string[] {
  const { document } = globalThis as unknown as InPage;
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const all = [...document.querySelectorAll('body *')];
  const wide = all.filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  const innermost = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other)));
  const places = innermost.slice(0, 3).map((one) => one.outerHTML.slice(0, 160));
  return [`${scrollWidth} px wide in a window of ${clientWidth}: ${places.join(' | ')}`];
}

/** Puts a link into the first and last line of each visible card; answers with what the cards begin with. */
export function markCards(selector: string): string[] {
  const { document } = globalThis as unknown as InPage;
  function mark(card: number, end: string): PageLink {
    const link = document.createElement('a');
    link.className = 'mark-of-card';
    link.href = `https://card.invalid/${card}/${end}`;
    link.textContent = '.';
    return link;
  }
  const cards = [...document.querySelectorAll(selector)].filter((card) => card.getClientRects().length > 0);
  return cards.map((card, at) => {
    const text = (card.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 80);
    const [first, last] = card.matches('tr') ? [card.firstElementChild, card.lastElementChild] : [card, card];
    first?.prepend(mark(at, 'start'));
    last?.append(mark(at, 'end'));
    return text;
  });
}

/** Takes the links out again. */
export function unmarkCards(): void {
  const { document } = globalThis as unknown as InPage;
  for (const link of document.querySelectorAll('.mark-of-card')) link.remove();
}
