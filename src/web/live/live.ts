import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import { changeMark } from '../../ledger/changes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Log } from '../../log.ts';
import type { MirroredGauges } from '../thread/gauges.ts';
import { markOfAll, type Cells } from './cells.ts';

/** Makes the cells of one page as one visitor sees them now; null when that visitor may not see it any more. */
export type Render = () => Promise<Cells | null>;

/** What an open page shows, and whether its visitor may still see it. */
export type Follower = { render: Render; mayFollow: () => Promise<boolean> };

/** Open pages, and what is new on each. */
export type Live = {
  /** A stream of what changes on a page from the state with this mark on. `topic`: pages that look alike to their visitors share it. */
  open: (topic: string, mark: string, follower: Follower) => ReadableStream<Uint8Array>;
  /** How many streams are open. */
  streams: () => number;
  close: () => void;
};

/** How often the ledger is asked whether anything has changed, in milliseconds. */
const LOOK_EVERY = 500;
/** Rendering takes at most one part in so many of this thread's time, so that pages that are asked for are not kept waiting. */
const SHARE = 4;
/** Says to a page that it is not followed any more: its visitor may not see it now. */
export const ENDED = 'event: ended\ndata: {}\n\n';
/** A line that shows a proxy that the connection is alive, and whether its visitor may follow still, in milliseconds. */
const SIGN_OF_LIFE = 20_000;

/** `end` tells the page that it is not followed any more; after `leave` it tries again. */
type Stream = { push: (text: string) => void; end: () => void; leave: () => void };
type Topic = { cells: Cells; streams: Map<Stream, Render> };

/** Follows the ledger and the gauges while pages are open; pages that look alike are made once. */
export function createLive(ledger: Ledger, gauges: MirroredGauges, log: Log): Live {
  const topics = new Map<string, Topic>();
  const closing = new AbortController();
  let following: Promise<void> | undefined;
  let known = '';

  const lookAtMark = () =>
    changeMark(ledger).then(
      (text) => `${text} ${gauges.version()}`,
      () => known,
    );

  async function follow(): Promise<void> {
    while (topics.size > 0 && !closing.signal.aborted) {
      const begun = performance.now();
      const mark = await lookAtMark();
      if (mark !== known) for (const [name, topic] of topics) await update(name, topic);
      known = mark;
      const taken = performance.now() - begun;
      await sleep(Math.max(LOOK_EVERY, taken * (SHARE - 1)), undefined, { signal: closing.signal }).catch(
        () => undefined,
      );
    }
    following = undefined;
  }

  async function update(name: string, topic: Topic): Promise<void> {
    const cells = await renderFor(topic);
    if (cells === null) return void topics.delete(name);
    const changed = [...cells].filter(([key, { mark }]) => topic.cells.get(key)?.mark !== mark);
    topic.cells = cells;
    const event = eventOf(changed, cells);
    if (changed.length > 0) for (const stream of topic.streams.keys()) stream.push(event);
  }

  /** The page as the first of its visitors sees it who may; the others before are told that they may not. */
  async function renderFor({ streams, cells }: Topic): Promise<Cells | null> {
    for (const [stream, render] of streams) {
      const made = await render().catch((error: unknown) => {
        log.debug({ reason: messageOf(error) }, 'live page cannot be made now');
        return cells;
      });
      if (made !== null) return made;
      stream.end();
    }
    return null;
  }

  function leave(name: string, stream: Stream): void {
    const topic = topics.get(name);
    topic?.streams.delete(stream);
    if (topic?.streams.size === 0) topics.delete(name);
  }

  return {
    open: (name, mark, { render, mayFollow }) => {
      let stream: Stream;
      let alive: NodeJS.Timeout;
      let gone = false;
      const encoder = new TextEncoder();
      const stop = () => {
        gone = true;
        clearInterval(alive);
        leave(name, stream);
      };
      return new ReadableStream<Uint8Array>({
        start: async (controller) => {
          const push = (text: string) => controller.enqueue(encoder.encode(text));
          stream = {
            push,
            end: () => {
              if (!gone) push(ENDED);
              stream.leave();
            },
            leave: () => {
              if (gone) return;
              stop();
              controller.close();
            },
          };
          alive = setInterval(() => {
            push(': alive\n\n');
            void mayFollow().then((may) => may || stream.end(), stream.end);
          }, SIGN_OF_LIFE).unref();
          push('retry: 3000\n\n');
          // What changes while the page is made is found by comparing with the mark from before.
          if (following === undefined) known = await lookAtMark();
          const cells = await render().catch(() => null);
          if (gone) return;
          if (cells === null) return stream.end();
          if (markOfAll(cells) !== mark) push(eventOf([...cells], cells));
          const topic = topics.get(name) ?? { cells, streams: new Map<Stream, Render>() };
          topics.set(name, topic);
          topic.streams.set(stream, render);
          following ??= follow();
        },
        cancel: stop,
      });
    },
    streams: () => [...topics.values()].reduce((sum, { streams }) => sum + streams.size, 0),
    close: () => {
      closing.abort();
      for (const { streams } of topics.values()) for (const stream of streams.keys()) stream.leave();
    },
  };
}

/** The cells that have changed, and the mark of all: with it the browser asks for what it has missed. */
function eventOf(changed: [string, { markup: string; mark: string }][], all: Cells): string {
  const data = Object.fromEntries(changed.map(([key, { markup, mark }]) => [key, [mark, markup]]));
  return `event: cells\nid: ${markOfAll(all)}\ndata: ${JSON.stringify(data)}\n\n`;
}
