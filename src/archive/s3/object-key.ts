const NAME = /^[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})(?:\.(\d{1,9}))?$/u;

/**
 * The key of an object, behind the archive's prefix. A file that was removed and is brought in again gets another one: `generation` counts
 * from 0. So a removal that arrives late never meets the object that took the place of the one it was meant for.
 */
export function objectKey(sha256: string, generation: number): string {
  const name = `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  return generation === 0 ? name : `${name}.${generation}`;
}

/** What a key stands for; null for one that is none of ours. */
export function readObjectKey(key: string): { sha256: string; generation: number } | null {
  const found = NAME.exec(key);
  return found === null ? null : { sha256: found[1]!, generation: Number(found[2] ?? 0) };
}
