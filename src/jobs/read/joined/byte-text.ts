import { refusal } from '../../../io/refusal.ts';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { decodeText } from '../../../io/text-decode.ts';
import { openTextWriter } from '../../../io/text-writer.ts';
import { needsTidying, tidyTexts } from '../../../io/tidy-text.ts';
import type { Detection } from '../../../model.ts';
import { singleByteCharset } from '../../../validate/fast/chunk/bytes.ts';
import { createLineEnds } from '../../../validate/scan/line-ends.ts';
import { sourceOfText } from '../../../validate/scan/scan-text.ts';

/** A text and how it is written. */
type WrittenText = { name: string; path: string; detection: Detection };

/**
 * Gives a text whose rows can be cut at its bytes: itself, or a copy in UTF-8 with the habits of single programs mended and LF in place of CR
 * at the ends of lines. Throws `file-rejected` where quotes span lines that end with CR.
 */
export async function byteText(
  { name, path, detection }: WrittenText,
  { settings, target }: { settings: Pick<ReadSettings, 'limits'>; target: string },
): Promise<Pick<WrittenText, 'path' | 'detection'>> {
  const { charset, bom, newline } = detection;
  const isInBytes = charset === 'utf-8' || singleByteCharset(charset) !== null;
  if (isInBytes && newline !== '\r' && !needsTidying(detection)) return { path, detection };
  const { dialect, scan } = sourceOfText({ path, detection, settings });
  await using writer = await openTextWriter(target);
  const lineEnds = newline === '\r' ? createLineEnds(dialect, scan) : null;
  const write = (text: string | null) => {
    if (text === null) throw spansReturns(name);
    writer.write(text);
  };
  const decoded = decodeText(path, charset, bom);
  for await (const text of needsTidying(detection) ? tidyTexts(decoded, detection) : decoded) {
    write(lineEnds === null ? text : lineEnds.push(text));
    await writer.flush();
  }
  if (lineEnds !== null) write(lineEnds.end());
  await writer.flush();
  const plain = { charset: 'utf-8', bom: false, spacedQuotes: false, wholeLines: false };
  return { path: target, detection: { ...detection, ...plain, newline: newline === '\r\r\n' ? '\r\n' : '\n' } };
}

function spansReturns(name: string): Error {
  const message = `${name} has cells over several lines and lines that end with CR, so it cannot be joined. Send it with other line ends.`;
  return refusal('joined-file-unusable', message, { file: name });
}
