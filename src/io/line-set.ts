/** A set of lines, a bit for each: millions of them take less than a megabyte. */
export class LineSet {
  #bits = new Uint8Array(1024);
  #size = 0;

  /** How many lines there are. */
  get size(): number {
    return this.#size;
  }

  add(line: number): void {
    const at = line >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(this.#bits.length * 2, at + 1));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    const bit = 1 << (line & 7);
    if (((this.#bits[at] ?? 0) & bit) !== 0) return;
    this.#bits[at] = (this.#bits[at] ?? 0) | bit;
    this.#size += 1;
  }

  has(line: number): boolean {
    return ((this.#bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }

  /** The first line from this one on that is in it; null when there is none. */
  next(from: number): number | null {
    for (let line = Math.max(0, from); line < this.#bits.length * 8; line += 1) {
      if (this.#bits[line >> 3] === 0) line |= 7;
      else if (this.has(line)) return line;
    }
    return null;
  }
}
