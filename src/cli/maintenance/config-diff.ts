import type { Command } from 'commander';
import { whileGauged } from '../files/while-gauged.ts';
import { feedOf, withReader } from '../session.ts';
import type { Io } from '../io.ts';
import { settingsDiff, type SettingsDiff } from '../../jobs/standing/settings-diff.ts';
import { diffLines } from '../../wording/diff-words.ts';
import { printable } from '../../wording/printable.ts';

/** Brands whose changes are shown of a feed. */
const SHOWN_BRANDS = 5;

/** Says of each feed what the settings of the configuration would make of the delivery that is live. */
export async function diffConfig(feeds: string[], json: boolean, command: Command, io: Io): Promise<void> {
  await withReader(command, io, async ({ ctx, loaded }) => {
    for (const feed of feeds) await feedOf(feed, loaded);
    const signal = io.stopSignal();
    const found: SettingsDiff[] = [];
    for (const feed of feeds.length === 0 ? Object.keys(ctx.config.feeds) : feeds) {
      const { login } = ctx.config.feeds[feed]!;
      const diff = await whileGauged(feed, 'read', io, (meter) =>
        settingsDiff({ feed, login }, ctx, { signal, meter }),
      );
      found.push(diff);
      if (!json) for (const line of linesOf(diff)) io.out(printable(line));
    }
    if (json) io.json({ feeds: found });
  });
}

function linesOf({ feed, state, run, diff, why }: SettingsDiff): string[] {
  if (state === 'nothing') return [`${feed}: nothing of it is live`];
  if (state === 'same') return [`${feed}: its settings are those that its live delivery was read with (run ${run})`];
  if (state === 'next')
    return [
      `${feed}: rows of run ${run} were read with other settings and stay so, because changes are put upon them. These settings are for what is delivered next; a full list brings them to all rows`,
    ];
  const head = `${feed}: its settings have changed since run ${run}: the same delivery will be read again`;
  if (diff === null) return [head, `  What becomes of its rows is not known: ${why}`];
  return [head, ...diffLines({ ...diff, of: 'feed' }, SHOWN_BRANDS).map((line) => `  ${line}`)];
}
