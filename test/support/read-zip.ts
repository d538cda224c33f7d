import { text } from 'node:stream/consumers';
import { openZip } from '../../src/io/zip-reader.ts';

/** The files of a zip as texts, by name. */
export async function readZip(path: string): Promise<Map<string, string>> {
  const zip = await openZip(path);
  const files = new Map<string, string>();
  try {
    for await (const entry of zip.eachEntry()) {
      files.set(entry.fileNameRaw.toString(), await text(await zip.openReadStreamPromise(entry)));
    }
  } finally {
    zip.close();
  }
  return files;
}
