import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import { changeMark } from '../../ledger/changes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Log } from '../../log.ts';
import type { MirroredGauges } from '../thread/gauges.ts';
import { markOfAll, type Cells } from './cells.ts';
import { changedCells, createStream, type Stream } from './stream.ts';

/** What an open page shows, and whether its visitor may still see it. */
export type Follower = {
  /** Makes the cells of the page as its visitor sees them now; null when that visitor may not see it any more. `again`: it has to ask anew. */
  render: () => Promise<Cells | null | 'again'>;
  mayFollow: () => Promise<boolean | 'again'>;
};

/** Open pages, and what is new on each. */
export type Live = {
  /** A stream of what changes on a page from the state with this mark on. `topic`: pages that look alike to their visitors share it. */
  open: (topic: string, mark: string, follower: Follower) => ReadableStream<Uint8Array>;
  /** How many streams are open. */
  streams: () => number;
  /** Ends all streams; their pages try again. */
  close: () => void;
};

/** How often the ledger is asked whether anything has changed, in milliseconds. */
const LOOK_EVERY = 500;
/** Rendering takes at most one part in so many of this thread's time, so that pages that are asked for are not kept waiting. */
const SHARE = 4;
/** How often a proxy is shown that the connection is alive, and whether its visitor may follow still is asked, in milliseconds. */
const SIGN_OF_LIFE = 20_000;

/** Pages that look alike. `isBehind`: what they show may be older than what was looked at last. */
type Topic = { cells: Cells; isBehind: boolean; streams: Map<Stream, Follower> };

/** Follows the ledger and the gauges while pages are open; pages that look alike are made once. */
export function createLive(ledger: Ledger, gauges: MirroredGauges, log: Log): Live {
  const topics = new Map<string, Topic>();
  const open = new Set<Stream>();
  const closing = new AbortController();
  let isFollowing = false;
  let known = '';

  const lookAtMark = () =>
    changeMark(ledger).then(
      (text) => `${text} ${gauges.version()}`,
      () => known,
    );

  async function follow(): Promise<void> {
    isFollowing = true;
    while (topics.size > 0 && !closing.signal.aborted) {
      const begun = performance.now();
      const mark = await lookAtMark();
      for (const topic of topics.values()) if (mark !== known || topic.isBehind) await update(topic);
      known = mark;
      const taken = performance.now() - begun;
      const rest = Math.max(LOOK_EVERY, taken * (SHARE - 1));
      await sleep(rest, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    isFollowing = false;
  }

  async function update(topic: Topic): Promise<void> {
    const wasBehind = topic.isBehind;
    topic.isBehind = false;
    const cells = await renderFor(topic);
    if (cells === null || (!wasBehind && changedCells(topic.cells, cells).length === 0)) return;
    topic.cells = cells;
    for (const [stream, { mayFollow }] of topic.streams) {
      // Whoever may not see the page any more is told nothing new.
      const may = await mayFollow().catch(() => null);
      if (may === null) topic.isBehind = true;
      else if (may === 'again') stream.leave();
      else if (may) stream.show(cells);
      else stream.end();
    }
  }

  /** The page as the first of its visitors sees it who may; the others before are told that they may not. */
  async function renderFor({ streams, cells }: Topic): Promise<Cells | null> {
    for (const [stream, { render }] of streams) {
      const made = await render().catch((error: unknown) => {
        log.debug({ reason: messageOf(error) }, 'live page cannot be made now');
        return cells;
      });
      if (made === 'again') stream.leave();
      else if (made === null) stream.end();
      else return made;
    }
    return null;
  }

  /** The pages that look like one that shows these cells, which were made after the mark `before` was looked at. */
  function topicOf(name: string, cells: Cells, before: string): Topic {
    if (!isFollowing) known = before;
    const topic = topics.get(name) ?? { cells, isBehind: false, streams: new Map<Stream, Follower>() };
    // What changed while the page was made may have been told to the others already.
    if (before !== known || changedCells(topic.cells, cells).length > 0) topic.isBehind = true;
    topics.set(name, topic);
    if (!isFollowing) void follow();
    return topic;
  }

  function leave(name: string, stream: Stream): void {
    open.delete(stream);
    const topic = topics.get(name);
    topic?.streams.delete(stream);
    if (topic?.streams.size === 0) topics.delete(name);
  }

  async function begin(name: string, mark: string, follower: Follower, stream: Stream): Promise<void> {
    const before = await lookAtMark();
    const cells = await follower.render().catch((error: unknown) => {
      log.debug({ reason: messageOf(error) }, 'live page cannot be made now');
      return undefined;
    });
    if (!open.has(stream)) return;
    if (cells === undefined || cells === 'again') return stream.leave();
    if (cells === null) return stream.end();
    stream.show(cells, markOfAll(cells) === mark);
    topicOf(name, cells, before).streams.set(stream, follower);
  }

  return {
    open: (name, mark, follower) => {
      const { stream, body } = createStream(() => {
        clearInterval(alive);
        leave(name, stream);
      });
      const alive = setInterval(() => {
        stream.beat();
        void follower.mayFollow().then((may) => (may === 'again' ? stream.leave() : may || stream.end()), stream.leave);
      }, SIGN_OF_LIFE).unref();
      open.add(stream);
      void begin(name, mark, follower, stream);
      return body;
    },
    streams: () => open.size,
    close: () => {
      closing.abort();
      for (const stream of open) stream.leave();
    },
  };
}
