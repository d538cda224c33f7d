/** A process that works, with what other processes need to know of it. */
export type WorkerRow = {
  /** Owner of its leases. */
  id: string;
  /** What people call it; two processes may have the same. */
  name: string;
  host: string;
  /** Of the program, and the newest migration that it knows. */
  version: string;
  migration: string;
  /** Labels of the places that it reaches. */
  serves: string[];
  /** 1: it works until it is stopped; 0: until what it waits for is done. */
  stays: number;
  /** `outdated`: the ledger was brought to a newer version since it began, and it takes no work. */
  state: 'works' | 'outdated';
  started_at: number;
  /** Its last sign of life, and until when it counts as alive without another. */
  seen_at: number;
  until: number;
};

/** A worker that could not reach what a run is to be pulled from. */
export type LookRow = {
  run: string;
  /** Its id, and its name at the time. */
  worker: string;
  name: string;
  /** `missing`: it looked, and the folder or file is not there; `elsewhere`: the place is for others to look at. */
  found: 'missing' | 'elsewhere';
  /** When it met the run first, and how often since. */
  at: number;
  times: number;
};
