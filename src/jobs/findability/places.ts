/** Places for the parts of the least weight among those that are offered, the lightest first. */
export type Places<Part> = {
  readonly best: readonly { part: Part; weight: number }[];
  offer: (part: Part, weight: number) => void;
};

/** So many places, at least one, all of them free. */
export function createPlaces<Part>(places: number): Places<Part> {
  const best: { part: Part; weight: number }[] = [];
  return {
    best,
    offer: (part, weight) => {
      if (best.length === places && weight >= best[places - 1]!.weight) return;
      const at = best.findIndex((other) => other.weight > weight);
      best.splice(at < 0 ? best.length : at, 0, { part, weight });
      best.length = Math.min(best.length, places);
    },
  };
}
