import { randomUUID } from 'node:crypto';

/**
 * Frames one file and some text fields as multipart/form-data with a known length, so that the content is streamed
 * chunk by chunk under the caller's control. (undici's FormData takes blobs and reads them by itself: a sender that has
 * lost its lease could not withhold the last chunk.)
 */
export function multipartFrame(input: {
  field: string;
  fields: Record<string, string>;
  file: { name: string; bytes: number; content: AsyncIterable<Buffer> };
}): { headers: Record<string, string>; body: AsyncIterable<Buffer> } {
  const boundary = `offerline-${randomUUID()}`;
  const texts = Object.entries(input.fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quotable(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${texts.join('')}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${quotable(input.field)}"; filename="${quotable(input.file.name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncGenerator<Buffer> {
    yield head;
    yield* input.file.content;
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + input.file.bytes + tail.length),
    },
    body: body(),
  };
}

/** Names as browsers write them between quotes. */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
