import { createReadStream } from 'node:fs';
import { diskError, refusal } from '../../io/refusal.ts';
import { readBeginning } from '../../io/read-pieces.ts';
import type { Package } from '../package/package.ts';
import { decodeXml } from '../package/xml/encoding.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import type { TableInput } from '../table-file.ts';

/** True for a document that is one XML file (FODS), and no archive. */
export function isFlat({ path }: TableInput): boolean {
  return readBeginning(path, 2).toString('latin1') !== 'PK';
}

/** A document that is one XML file as a package whose only part, of this name, has all of it. Throws `file-rejected`. */
export function flatPackage({ path, name, limits, signal, folder }: TableInput, part: string): Package {
  const explain = (_part: string, error: unknown) => {
    if (signal?.aborted === true || !(error instanceof XmlError)) return diskError(error, folder, (cause) => cause);
    const message = error.isDtd
      ? `${name} is refused: it has a document type definition (DTD), which no spreadsheet needs. Save it with LibreOffice and send it again.`
      : `${name} is a damaged spreadsheet: ${error.message}. Open it, save it and send it again.`;
    return refusal('workbook-broken', message, { file: name });
  };
  async function* bytes(): AsyncGenerator<Buffer, void> {
    let read = 0;
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      read += chunk.length;
      if (read > limits.fileSize) {
        const message = `${name} has more than ${limits.fileSize} bytes. Send fewer rows, or the list as CSV.`;
        throw refusal('workbook-too-large', message, { file: name, limit: limits.fileSize });
      }
      yield chunk;
    }
  }
  async function* read(): AsyncGenerator<string, void> {
    try {
      yield* decodeXml(bytes());
    } catch (error) {
      throw explain(part, error);
    }
  }
  return { has: (other) => other === part, read, explain, close: () => undefined };
}
