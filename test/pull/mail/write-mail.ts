/** One part of a mail: its header lines, and its bytes as they are sent. */
export type MailPart = { header: (string | Buffer)[]; body: string | Buffer };

const TRUSTED = 'mx.shop.example; dkim=pass header.d=supplier.example';

type Written = { from?: string; subject?: string; results?: string[]; more?: string[] };

/** A mail of a supplier as it lies in the mailbox: checked by the shop's own mail server, with these parts. */
export function mailWith(parts: MailPart[], written: Written = {}): Buffer {
  const { from = 'Prices <prices@supplier.example>', subject = 'Price list', results = [TRUSTED], more = [] } = written;
  const head = [
    ...results.map((value) => `Authentication-Results: ${value}`),
    `From: ${from}`,
    `Subject: ${subject}`,
    'To: buyer@shop.example',
    ...more,
    'MIME-Version: 1.0',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n`), multipart(parts, 'outer')]);
}

/** A body of several parts, with the header field that says so. */
export function multipart(parts: MailPart[], boundary: string): Buffer {
  const chunks: (string | Buffer)[] = [`Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n`];
  for (const { header, body } of parts) {
    chunks.push(`--${boundary}\r\n`);
    for (const line of header) chunks.push(line, '\r\n');
    chunks.push('\r\n', body, '\r\n');
  }
  chunks.push(`--${boundary}--\r\n`);
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
}

/** A file attached in base64, its name in the header as written. */
export function attached(name: string | Buffer, bytes: Buffer | string, type = 'text/csv'): MailPart {
  const field = Buffer.concat([
    Buffer.from('Content-Disposition: attachment; filename="'),
    Buffer.from(name),
    Buffer.from('"'),
  ]);
  const lines = Buffer.from(bytes).toString('base64').replaceAll(/.{76}/gu, '$&\r\n');
  return { header: [`Content-Type: ${type}`, field, 'Content-Transfer-Encoding: base64'], body: lines };
}

/** What people read. */
export function text(body: string, type = 'text/plain; charset=utf-8'): MailPart {
  return { header: [`Content-Type: ${type}`, 'Content-Transfer-Encoding: 8bit'], body };
}
