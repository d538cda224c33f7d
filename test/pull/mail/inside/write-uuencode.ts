/** A file as uuencode writes it, with backquotes for zeros. */
export function uuencoded(name: string, bytes: Uint8Array): string {
  const lines = [`begin 644 ${name}`];
  for (let at = 0; at < bytes.length; at += 45) {
    const piece = bytes.subarray(at, at + 45);
    const full = Buffer.concat([piece, Buffer.alloc((3 - (piece.length % 3)) % 3)]);
    const values = full
      .toString('base64')
      .replaceAll('=', 'A')
      .split('')
      .map((symbol) => BASE64.indexOf(symbol));
    lines.push(
      [piece.length, ...values].map((value) => (value === 0 ? '`' : String.fromCharCode(32 + value))).join(''),
    );
  }
  return [...lines, '`', 'end', ''].join('\n');
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
