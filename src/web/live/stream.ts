import { dictionary } from '../../io/dictionary.ts';
import { markOfAll, type Cells } from './cells.ts';

/** An open page of one visitor. */
export type Stream = {
  /**
   * Tells the page what differs from what it shows, as soon as it has taken what it was told before. `isShown`: it shows just this
   * already.
   */
  show: (cells: Cells, isShown?: boolean) => void;
  /** Tells the page that it is not followed any more. */
  end: () => void;
  /** Closes the connection; the page tries again. */
  leave: () => void;
  /** Shows a proxy that the connection is alive. */
  beat: () => void;
};

/** Says to a page that it is not followed any more: its visitor may not see it now. */
export const ENDED = 'event: ended\ndata: {}\n\n';

/** After so many milliseconds a browser that lost its connection tries again. */
const AGAIN_AFTER = 3000;

const encoder = new TextEncoder();

/**
 * A stream to a page. At most one message waits for a page that is slow: what changes meanwhile comes with the next one, so that no
 * client can fill the memory. `gone` is told once when the stream is over.
 */
export function createStream(gone: () => void): {
  stream: Stream;
  body: ReadableStream<Uint8Array>;
} {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let [shown, wanted]: [Cells, Cells] = [NOTHING, NOTHING];
  let isOver = false;
  const push = (bytes: Uint8Array) => controller.enqueue(bytes);
  const isFree = () => (controller.desiredSize ?? 0) > 0;
  const flush = () => {
    if (isOver || wanted === shown || !isFree()) return;
    const event = eventBetween(shown, wanted);
    shown = wanted;
    if (event !== null) push(event);
  };
  const stop = () => {
    if (isOver) return;
    isOver = true;
    gone();
  };
  const leave = () => {
    if (isOver) return;
    stop();
    controller.close();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      push(encoder.encode(`retry: ${AGAIN_AFTER}\n\n`));
    },
    pull: flush,
    cancel: stop,
  });
  const stream: Stream = {
    show: (cells, isShown = false) => {
      wanted = cells;
      if (isShown) shown = cells;
      flush();
    },
    end: () => {
      if (!isOver) push(encoder.encode(ENDED));
      leave();
    },
    leave,
    beat: () => {
      if (!isOver && isFree()) push(encoder.encode(': alive\n\n'));
    },
  };
  return { stream, body };
}

const NOTHING: Cells = new Map();

/** The same change goes to many pages, and is written once. */
let last: { from: Cells; to: Cells; bytes: Uint8Array | null } | undefined;

/** The cells that have changed, and the mark of all: with it the browser asks for what it has missed. Null: none has. */
function eventBetween(from: Cells, to: Cells): Uint8Array | null {
  if (last?.from === from && last.to === to) return last.bytes;
  const changed = changedCells(from, to).map(([key, { markup, mark }]) => [key, [mark, markup]] as const);
  const data = JSON.stringify(dictionary(changed));
  const text = `event: cells\nid: ${markOfAll(to)}\ndata: ${data}\n\n`;
  last = { from, to, bytes: changed.length === 0 ? null : encoder.encode(text) };
  return last.bytes;
}

/** The cells that differ from what they were. */
export function changedCells(from: Cells, to: Cells): [string, { markup: string; mark: string }][] {
  return [...to].filter(([key, { mark }]) => from.get(key)?.mark !== mark);
}
