/** Who works on an incident: a user of the console, an address of `managers`, or only a name. */
export type PersonKind = 'user' | 'manager' | 'name';

/** What ends the time in which nobody is reminded of an incident. That it gets worse ends it in any case. */
export type QuietUntil = 'delivery' | 'worse' | 'time';

/** Who works on an incident, and whether people are reminded of it. */
export type IncidentWork = { taken: Taken | null; quiet: Quiet | null };

/** That somebody works on an incident. */
export type Taken = {
  by: string;
  since: number;
  /** Whether the person has an address that reminders go to. */
  hasMail: boolean;
  /** The person was disabled or removed since, or does not see any more what it is about: nobody works on it. */
  gone: boolean;
  /** Nobody did anything about it for a day, so that everybody may be reminded again. */
  idle: boolean;
};

/** That nobody is reminded of an incident for now. */
export type Quiet = {
  until: QuietUntil;
  /** When it ends in any case. */
  ends: number;
  by: string;
  since: number;
};
