/** The script behind the file of an entry. */
export function chunkOf(entry: string): string {
  return entry.replace(/\.cjs$/u, '.entry.cjs');
}
