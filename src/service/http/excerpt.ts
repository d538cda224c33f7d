import { foreignText } from '../../wording/foreign-text.ts';

const MAX_SHOWN = 300;

/** A text of the service as one line of a message, cut where it becomes long, without credentials. */
export function excerpt(text: string): string {
  return foreignText(text, MAX_SHOWN) || '(empty body)';
}

/** The id that the service gave to a request, as a message and as details show it; empty when the reply has none. */
export function withRequestId(reply: unknown): { text: string; details: { requestId?: string } } {
  if (typeof reply !== 'object' || reply === null || !('requestId' in reply)) return { text: '', details: {} };
  const { requestId } = reply;
  if (typeof requestId !== 'string' || requestId === '') return { text: '', details: {} };
  const shown = excerpt(requestId);
  return { text: ` (requestId ${shown})`, details: { requestId: shown } };
}
