import { html, type Html } from '../../wording/html.ts';
import type { RowsDiff } from '../../model.ts';
import type { Language } from '../../wording/language/language.ts';

const WIDTH = 600;
const HEIGHT = 22;
const GAP = 10;
/** The least that is still seen of rows that are few beside the others. */
const LEAST = 3;

type Fate = 'same' | 'changed' | 'removed' | 'added';

/** The rows before and now as two bars of what stayed, changed, went and came; its legend has the numbers. */
export function changePicture(diff: RowsDiff, inWords: string, { say, number }: Language): Html {
  const { before, after, added, removed, changed } = diff;
  const same = Math.max(0, before - removed - changed);
  const counts: Record<Fate, number> = { same, changed, removed, added };
  const all = Math.max(before, after, 1);
  const bars = [bar(counts, ['same', 'changed', 'removed'], all), bar(counts, ['same', 'changed', 'added'], all)];
  const width = Math.max(...bars.map((rects) => rects.at(-1)?.end ?? 0), WIDTH);
  return html`<figure class="change">
    <svg
      viewBox="0 0 ${round(width)} ${2 * HEIGHT + GAP}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${inWords}"
    >
      ${bars.map((rects, at) =>
        rects.map(
          ({ fate, start, end }) =>
            html`<rect
              class="${fate}"
              x="${round(start)}"
              y="${at * (HEIGHT + GAP)}"
              width="${round(end - start)}"
              height="${HEIGHT}"
            ></rect>`,
        ),
      )}
    </svg>
    <figcaption>
      <span class="key">${say('report.change.bars')}</span>
      ${(['same', 'changed', 'removed', 'added'] as const)
        .filter((fate) => counts[fate] > 0)
        .map(
          (fate) =>
            html`<span class="key"
              ><i class="swatch ${fate}"></i>${say(`report.change.${fate}`)} ${number(counts[fate])}</span
            > `,
        )}
    </figcaption>
  </figure>`;
}

function bar(counts: Record<Fate, number>, fates: Fate[], all: number): { fate: Fate; start: number; end: number }[] {
  let end = 0;
  return fates
    .filter((fate) => counts[fate] > 0)
    .map((fate) => {
      const start = end;
      end += Math.max(LEAST, (counts[fate] / all) * WIDTH);
      return { fate, start, end };
    });
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
