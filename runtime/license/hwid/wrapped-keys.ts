import { hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Secret } from '../../secret.ts';
import { createSecretBox, TamperedError, UnknownKeyError } from '../../secret-box.ts';
import { canonical, type Identifiers } from './hwid.ts';
import { type IdentifierName, identifierNames } from './identifier.ts';
import type { Machine } from './machine.ts';

/**
 * The machine's secret, sealed under one or two identifiers: a process that reads these from the machine can open it. A record
 * carries a seal for each pair of three identifiers, so that any two of them suffice and one may change.
 */
export const wrappedKeySchema = z.object({
  under: z.array(z.enum(identifierNames)).min(1).max(2),
  salt: z.base64url(),
  sealed: z.string(),
});
export type WrappedKey = z.infer<typeof wrappedKeySchema>;

const saltBytes = 16;

const boxOf = (values: Identifiers, salt: Buffer) => {
  const key = hkdfSync('sha256', canonical(values), salt, 'castellan license seal v1', 32);
  return createSecretBox([new Secret(Buffer.from(key).toString('hex'))]);
};

const placeOf = (under: readonly IdentifierName[]): string => `license.json seal ${under.join('+')}`;

const makeSeal = (secret: Buffer, under: readonly IdentifierName[], values: Identifiers): WrappedKey => {
  const salt = randomBytes(saltBytes);
  return {
    under: [...under],
    salt: salt.toString('base64url'),
    sealed: boxOf(values, salt).seal(secret, placeOf(under)),
  };
};

const openSeal = (seal: WrappedKey, values: Identifiers): Buffer | null => {
  try {
    return boxOf(values, Buffer.from(seal.salt, 'base64url')).open(seal.sealed, placeOf(seal.under));
  } catch (error) {
    if (error instanceof UnknownKeyError || error instanceof TamperedError) return null;
    throw error;
  }
};

const pick = (identifiers: Identifiers, names: readonly IdentifierName[]): Identifiers =>
  new Map([...identifiers].filter(([name]) => names.includes(name)));

const opensWith = (seal: WrappedKey, identifiers: Identifiers): boolean => {
  const values = pick(identifiers, seal.under);
  return values.size === seal.under.length && openSeal(seal, values) !== null;
};

/** Determined by the slowest identifier that the seal needs. */
const cost = (seal: WrappedKey): number =>
  Math.max(...seal.under.map((name) => identifierNames.indexOf(name)));

/** The secret, or null when no seal opens on this machine. Identifiers that are not needed are not read. */
export const unwrapKeys = async (seals: readonly WrappedKey[], machine: Machine): Promise<Buffer | null> => {
  for (const seal of seals.toSorted((a, b) => cost(a) - cost(b))) {
    const values = new Map<IdentifierName, string>();
    for (const name of seal.under) {
      const value = await machine.identifier(name);
      if (value !== null) values.set(name, value);
    }
    const secret = values.size === seal.under.length ? openSeal(seal, values) : null;
    if (secret !== null) return secret;
  }
  return null;
};

/** Three identifiers: each pair of them. Two: both together. One: that one. */
const sealingSets = (names: readonly IdentifierName[]): readonly (readonly IdentifierName[])[] => {
  const [first, second, third] = names;
  if (first === undefined) return [];
  if (second === undefined || third === undefined) return [names];
  return [
    [first, second],
    [first, third],
    [second, third],
  ];
};

/**
 * The seals that fit the current machine. A seal that still opens is kept unchanged. An identifier that cannot be read today does
 * not weaken the record: its seals stay, as long as their other identifier is still the same.
 */
export const rewrapped = (
  secret: Buffer,
  identifiers: Identifiers,
  seals: readonly WrappedKey[],
): WrappedKey[] => {
  const opening = seals.filter((seal) => opensWith(seal, identifiers));
  const unchanged = new Set(opening.flatMap((seal) => seal.under));
  const dormant = seals.filter(
    ({ under }) =>
      under.some((name) => !identifiers.has(name)) &&
      under.every((name) => !identifiers.has(name) || unchanged.has(name)),
  );
  const current = sealingSets([...identifiers.keys()]).map(
    (under) =>
      opening.find((seal) => seal.under.join() === under.join()) ??
      makeSeal(secret, under, pick(identifiers, under)),
  );
  return [...current, ...dormant];
};
