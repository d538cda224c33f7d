/** What a user may do: look; decide about the feeds that are theirs; work on everything; and manage users besides. */
export type Role = 'viewer' | 'manager' | 'ops' | 'admin';

/** What a token may do besides: push files to its feeds, and nothing else. */
export type TokenRole = Role | 'push';

/** A user of the console. */
export type UserRow = {
  name: string;
  /** Names the feeds of a manager: those of the `managers` entry with this address. */
  email: string | null;
  role: Role;
  /** A PHC string; empty for a user whom a provider signs in. */
  password: string;
  language: string | null;
  created_at: number;
  /** When role, password or state were changed last. */
  changed_at: number;
  disabled_at: number | null;
  /** Who a user is to the provider that signs them in; null: one with a password of the console. */
  subject: string | null;
  /** The feeds that the provider says a manager has, with commas between them; null: those of the `managers` entries. */
  feeds: string | null;
  /** Since when whoever signs them in gives them no role; null: they have theirs. */
  role_lost_at: number | null;
  /** The secret of the app that is their second factor, in base32; null: none. */
  totp: string | null;
  /** The half minute, counted from 1970, of the last code that was used: a code is of use once. */
  totp_step: number | null;
  /** Hashes of the recovery codes that are left, with commas between them. */
  recovery: string | null;
};

/** What a sign-in waits for before it counts: a code of the second factor, or that one is set up. */
export type SessionStage = 'code' | 'enrol';

/** A browser that is signed in. */
export type SessionRow = {
  /** Of the token that the browser has; the token itself is not kept. */
  token_hash: string;
  user_name: string;
  address: string | null;
  created_at: number;
  seen_at: number;
  /** What the provider is asked with whether the user may still sign in, encrypted with the token of the browser; null: nothing. */
  refresh: string | null;
  /** When the provider is to be asked next; null: never. */
  check_at: number | null;
  /** What it waits for; null: nothing, its user is signed in. */
  stage: SessionStage | null;
};

/** A program that may call the API. */
export type TokenRow = {
  id: string;
  name: string;
  /** Of the secret that was shown once. */
  secret_hash: string;
  role: TokenRole;
  /** The feeds that it sees, or to which it may push, with commas between them; null: all. */
  scope: string | null;
  created_by: string;
  created_at: number;
  expires_at: number | null;
  /** When its present secret was used last. */
  used_at: number | null;
  revoked_at: number | null;
  /** Of the secret before the present one, which is valid until then besides it. */
  former_hash: string | null;
  former_ends_at: number | null;
  former_used_at: number | null;
};

/** Failed attempts to sign in, by what they have in common: a user, an address, or both. */
export type SignInRow = { subject: string; failures: number; at: number };

/** A link to the page of a feed's supplier. */
export type SupplierLinkRow = {
  id: string;
  feed: string;
  /** Who the supplier was when it was made (`supplierMark`); null of one of an earlier version. */
  supplier: string | null;
  /** Of the secret in the link, which is kept nowhere. */
  secret_hash: string;
  /** Who made it; `mail`: it is in a mail to the supplier. */
  created_by: string;
  created_at: number;
  expires_at: number;
  /** When it was opened last. */
  used_at: number | null;
  ended_at: number | null;
};
