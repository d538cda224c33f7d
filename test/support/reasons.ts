/** The reason of a run, as something that was found and worded elsewhere. */
export function found(text: string) {
  return { code: 'found', text } as const;
}

/** The reason of an incident, as a server put it. */
export function saying(said: string) {
  return { code: 'credentials-refused', said } as const;
}
