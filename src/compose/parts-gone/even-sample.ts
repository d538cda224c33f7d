/** Values spread evenly over all that were offered, which may be many more: memory stays within twice `most`. */
type EvenSample<T> = { offer: (make: () => T) => void; readonly values: T[] };

/** An empty sample. Which values it keeps depends on their order alone, so that the same rows give the same examples. */
export function createEvenSample<T>(most: number): EvenSample<T> {
  let values: T[] = [];
  let [met, step] = [0, 1];
  return {
    offer: (make) => {
      if (met++ % step !== 0) return;
      values.push(make());
      if (values.length < most * 2) return;
      values = values.filter((_, at) => at % 2 === 0);
      step *= 2;
    },
    get values() {
      return values;
    },
  };
}
