import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 finds some objects to be garbage only after others that it has found. */
const MOST_LOOKS = 8;
/** Less than this is not worth looking for. */
const LARGE = 32 << 20;

/**
 * Frees the memory of a kernel that nobody holds any more. Memory that threads share counts for nothing when V8 decides whether it is time to look
 * for garbage: hundreds of megabytes would stay until something else fills the heap.
 */
export async function freeMemory(memory: WeakRef<WebAssembly.Memory>): Promise<void> {
  if ((memory.deref()?.buffer.byteLength ?? 0) < LARGE) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await setImmediate();
    if (memory.deref() === undefined) return;
    // Whoever asks for an object keeps it until later.
    await setImmediate();
    collect();
  }
}
