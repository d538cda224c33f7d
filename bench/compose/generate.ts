import { closeSync, openSync, writeSync } from 'node:fs';

/** Feeds that share parts: each has a chunk of one long list, of which the next feed has the last three tenths too. */
export const FEEDS = 20;

/** Writes the accepted rows of all feeds, `rows` together, as validation writes them; the same at every run. */
export function generateFeeds(rows: number, path: (feed: number) => string): void {
  const each = Math.floor(rows / FEEDS);
  for (let feed = 0; feed < FEEDS; feed += 1) {
    const file = openSync(path(feed), 'w');
    let text = '';
    for (let row = 0; row < each; row += 1) {
      text += rowOf(Math.floor(feed * each * 0.7) + row, row + 2, feed);
      if (text.length < 1_000_000) continue;
      writeSync(file, text);
      text = '';
    }
    writeSync(file, text);
    closeSync(file);
  }
}

/** Feeds spell the same part differently: with dashes, in small letters. */
function rowOf(part: number, line: number, feed: number): string {
  const number = String((part * 7919) % 1_000_000_007).padStart(10, '0');
  const brand = `BRAND ${part % 500}`;
  const spelled = feed % 2 === 0 ? number : `${number.slice(0, 4)}-${number.slice(4)}`;
  const name = part % 3 === 0 ? `Колодки тормозные ${part % 1000}` : `Brake pad set front ${part % 1000}`;
  return `${line}\t${feed % 3 === 0 ? brand.toLowerCase() : brand}\t${spelled}\t${name}\tbrakes,set ${part % 40}\n`;
}
