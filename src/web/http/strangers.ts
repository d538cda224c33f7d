/** Somebody at the door who has not signed in. */
export type Stranger = {
  /** Whether something is being done for them, so that they are not sent away for others. */
  isServed: () => boolean;
  sendAway: () => void;
};

/** So many of one network, and so many in all. */
type Room = { ofOne: number; ofAll: number };

/** Those who have not signed in, by their networks. */
export type Strangers = {
  /** Lets somebody in, as the newest of a network. `shared`: it is of a proxy, and says nothing of who comes through it. */
  enter: (stranger: Stranger, network: string, options: { shared: boolean }) => void;
  leave: (stranger: Stranger) => void;
  has: (stranger: Stranger) => boolean;
};

/**
 * Bounds how many there are. Where there is no room, the oldest who waits makes some, and the newest only when all others are
 * served: a flood must not keep out who comes after it. `told`: the network of who was sent away.
 */
export function createStrangers({ ofOne, ofAll }: Room, told: (network: string) => void): Strangers {
  const networks = new Map<string, Set<Stranger>>();
  const homes = new Map<Stranger, string>();
  const leave = (stranger: Stranger) => {
    const network = homes.get(stranger);
    if (network === undefined) return;
    homes.delete(stranger);
    const own = networks.get(network);
    own?.delete(stranger);
    if (own?.size === 0) networks.delete(network);
  };
  const makeRoom = (network: string, newest: Stranger) => {
    told(network);
    const leaves = firstOf(networks.get(network) ?? [], (one) => one !== newest && !one.isServed()) ?? newest;
    leave(leaves);
    leaves.sendAway();
  };
  return {
    has: (stranger) => homes.has(stranger),
    leave,
    enter: (stranger, network, { shared }) => {
      leave(stranger);
      const own = networks.get(network) ?? new Set();
      networks.set(network, own.add(stranger));
      homes.set(stranger, network);
      if (!shared && own.size > ofOne) makeRoom(network, stranger);
      else if (homes.size > ofAll) makeRoom(largestOf(networks), stranger);
    },
  };
}

function firstOf<Item>(items: Iterable<Item>, fits: (item: Item) => boolean): Item | undefined {
  for (const item of items) if (fits(item)) return item;
  return undefined;
}

function largestOf(networks: ReadonlyMap<string, ReadonlySet<Stranger>>): string {
  const [first, ...rest] = networks;
  return rest.reduce((most, one) => (one[1].size > most[1].size ? one : most), first!)[0];
}
