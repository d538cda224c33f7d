import { z } from 'zod';
import { own } from '../../io/dictionary.ts';
import { ROLES, type Role } from '../visitor.ts';
import type { Oidc } from './provider.ts';

/** What a provider says of somebody. */
export type Identity = {
  /** What they may be called here, the best first. */
  names: readonly string[];
  email: string | null;
  /** What they may do here; null: nobody has given them anything. */
  role: Role | null;
  /** The feeds of a manager with commas between them; null: those of the `managers` entries. */
  feeds: string | null;
};

/** Claims, as they came. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads what a provider claims of somebody. Of several roles they get the one that may do most. */
export function identityIn(claims: Claims, { claims: named, roles }: Pick<Oidc, 'claims' | 'roles'>): Identity {
  const role = roleOf(textsIn(claimIn(claims, named.roles)), roles);
  const email = emailIn(claims, named.email);
  const [name] = textsIn(claimIn(claims, named.name));
  const feeds = named.feeds === undefined ? null : textsIn(claimIn(claims, named.feeds));
  return {
    names: [name, email].filter((one) => typeof one === 'string'),
    email,
    role,
    feeds: feeds === null ? null : namesIn(feeds).join(','),
  };
}

/** The role of somebody in these groups: of several the one that may do most; null without one. */
export function roleOf(groups: readonly string[], roles: Oidc['roles']): Role | null {
  return ROLES.findLast((one) => roles[one]?.some((group) => groups.includes(group)) === true) ?? null;
}

/** Whether a provider has said anything of what roles come from. */
export function saysRoles(claims: Claims, { claims: named }: Pick<Oidc, 'claims'>): boolean {
  return claimIn(claims, named.roles) !== undefined;
}

/** A claim by its name, or by names with dots between them, as providers nest some. */
function claimIn(claims: Claims, name: string): unknown {
  const whole = own(claims, name);
  if (whole !== undefined) return whole;
  return name
    .split('.')
    .reduce<unknown>(
      (inner, step) => (typeof inner === 'object' && inner !== null ? own(inner as Claims, step) : undefined),
      claims,
    );
}

function textsIn(claim: unknown): string[] {
  return [claim].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}

function namesIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[\s,]+/u)).filter((text) => text !== '');
}

/** An address that the provider says is not verified may be anybody's. */
function emailIn(claims: Claims, name: string): string | null {
  const [email] = textsIn(claimIn(claims, name));
  if (email === undefined || claimIn(claims, 'email_verified') === false) return null;
  return z.email().safeParse(email).success ? email : null;
}
