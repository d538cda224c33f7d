import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { whileVerified } from '../../archive/kept-file.ts';
import { detect } from '../../detect/detect.ts';
import type { Detection } from '../../model.ts';
import { unpack } from '../../pull/unpack/unpack.ts';

/** A file that nobody has seen before; `folder` is for temporary files, the caller removes it. */
type DetectInput = { path: string; name: string; folder: string; settings: ReadSettings };

/** How a file is written, and its name inside its archive where there is one. */
export type FoundDialect = { inner: string | null; detection: Detection };

/** Several sheets may be meant. */
const UNDECIDED = 0.5;

/** Unpacks a file and detects how it is written and what its columns mean. Throws `file-rejected`. */
export function detectFile({ path: file, name, folder, settings }: DetectInput): Promise<FoundDialect> {
  const { limits, columns, tagSeparator, maxTags } = settings;
  return whileVerified(file, async (path) => {
    const unpacked = await unpack({ path, name, folder, limits, keys: settings.unpack });
    const inner = unpacked.path === file ? null : unpacked.name;
    const { format, passedOver } = unpacked;
    if (format === 'text')
      return { inner, detection: await detect(unpacked.path, { columns, tagSeparator, maxTags, passedOver }) };
    const { asText } = await import('./as-text.ts');
    const { leftOpen } = await import('./left-open.ts');
    const tables = await asText({ ...unpacked, format }, { folder, settings });
    const { text, table, settings: its } = tables;
    const detection = await detect(text.path, { columns: its.columns, tagSeparator, maxTags, table, passedOver });
    const undecided = leftOpen(tables, detection);
    if (undecided === null) return { inner, detection };
    const evidence = [undecided.reason, ...detection.evidence];
    return { inner, detection: { ...detection, sure: false, confidence: UNDECIDED, evidence } };
  });
}
