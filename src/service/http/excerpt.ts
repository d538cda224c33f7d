const MAX_SHOWN = 300;

/** A text as one line of a message, cut where it becomes long. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 20 * MAX_SHOWN)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return '(empty body)';
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** The id that the service gave to a request, as a message and as details show it; empty when the reply has none. */
export function withRequestId(reply: unknown): { text: string; details: { requestId?: string } } {
  if (typeof reply !== 'object' || reply === null || !('requestId' in reply)) return { text: '', details: {} };
  const { requestId } = reply;
  if (typeof requestId !== 'string' || requestId === '') return { text: '', details: {} };
  const shown = excerpt(requestId);
  return { text: ` (requestId ${shown})`, details: { requestId: shown } };
}
