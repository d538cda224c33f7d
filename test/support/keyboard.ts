import type { Page as Tab } from 'playwright-core';
import { unfold } from '../../scripts/shots/in-page.ts';

/** What functions use that run in a page. */
type InPage = {
  document: {
    activeElement: Control | null;
    body: Control;
    querySelectorAll: (selector: string) => Iterable<Control>;
  };
  getComputedStyle: (of: Control) => { outlineStyle: string; outlineWidth: string };
};

type Control = {
  type?: string;
  name?: string;
  disabled?: boolean;
  outerHTML: string;
  dataset: Record<string, string | undefined>;
  matches: (selector: string) => boolean;
  checkVisibility: () => boolean;
};

/** Places that take the focus besides controls, such as tables that scroll. */
const MORE = 60;

/** Marks what a keyboard has to reach on an open page, and gives what each is; of radio buttons of one name only one takes the focus. */
function markControls(): { mark: string; what: string }[] {
  const { document } = globalThis as unknown as InPage;
  const all = [
    ...document.querySelectorAll(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable]',
    ),
  ];
  const radios = new Set<string>();
  const controls = all.filter((one) => {
    if (one.disabled === true || !one.checkVisibility()) return false;
    if (one.type !== 'radio') return true;
    const isFirst = !radios.has(one.name ?? '');
    radios.add(one.name ?? '');
    return isFirst;
  });
  return controls.map((one, at) => {
    const mark = one.type === 'radio' ? `radio ${one.name}` : String(at);
    one.dataset['control'] = mark;
    return { mark, what: one.outerHTML.slice(0, 120).replaceAll(/\s+/g, ' ') };
  });
}

/** What has the focus: its mark, and whether that can be seen; null when nothing of the page has it. */
function focused(): { mark: string | null; isSeen: boolean; what: string } | null {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const mark = one.type === 'radio' ? `radio ${one.name}` : (one.dataset['control'] ?? null);
  const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  return { mark, isSeen, what: one.outerHTML.slice(0, 120).replaceAll(/\s+/g, ' ') };
}

/**
 * Goes through an open page, unfolded, with the Tab key alone. Answers with what is wrong: controls that are not reached, a focus that is not seen, and
 * a place that the keyboard does not leave again.
 */
export async function examineKeyboard(tab: Tab): Promise<string[]> {
  await tab.evaluate(unfold);
  const controls = await tab.evaluate(markControls);
  if (controls.length === 0) return ['there is nothing that a keyboard could reach'];
  const missing = new Map(controls.map(({ mark, what }) => [mark, what]));
  const unseen = new Set<string>();
  let first: string | undefined;
  // A page may begin with the focus in its middle, and dates have several places: twice around is enough.
  for (let presses = 0; presses < 2 * controls.length + MORE; presses += 1) {
    await tab.keyboard.press('Tab');
    const now = await tab.evaluate(focused);
    const isAround = now === null || (now.mark !== null && now.mark === first);
    if (missing.size === 0 && isAround) return [...unseen];
    if (now === null) continue;
    if (!now.isSeen) unseen.add(`its focus is not seen: ${now.what}`);
    if (now.mark === null) continue;
    first ??= now.mark;
    missing.delete(now.mark);
  }
  const lost = [...missing.values()].map((what) => `it is not reached: ${what}`);
  return [...unseen, ...(lost.length > 0 ? lost : ['the keyboard does not come around the page'])];
}

/** Presses the Tab key until what a selector means has the focus. */
export async function tabTo(tab: Tab, selector: string): Promise<void> {
  const hasFocus = (wanted: string) => {
    const { document } = globalThis as unknown as InPage;
    return document.activeElement?.matches(wanted) === true;
  };
  for (let presses = 0; presses < 300; presses += 1) {
    if (await tab.evaluate(hasFocus, selector)) return;
    await tab.keyboard.press('Tab');
  }
  throw new Error(`${tab.url()}: the keyboard does not reach ${selector}`);
}
