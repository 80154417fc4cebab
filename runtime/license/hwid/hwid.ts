import { createHash } from 'node:crypto';
import { type IdentifierName, identifierNames } from './identifier.ts';
import type { Machine } from './machine.ts';

const label = 'castellan hwid v1';

/** The usable identifiers of a machine, in their fixed order. */
export type Identifiers = ReadonlyMap<IdentifierName, string>;

/**
 * What a license is bound to. The HWID is the hash of a secret derived from the identifiers, so that a person who learns the HWID
 * (it is shown, pasted and sent) still does not hold the secret that opens the record.
 */
export interface Identity {
  readonly secret: Buffer;
  readonly hwid: string;
}

export const readIdentifiers = async (machine: Machine): Promise<Identifiers> => {
  const identifiers = new Map<IdentifierName, string>();
  for (const name of identifierNames) {
    const value = await machine.identifier(name);
    if (value !== null) identifiers.set(name, value);
  }
  return identifiers;
};

/** What a machine is bound by from now on: without what it shares with others. */
export const readOwnIdentifiers = async (machine: Machine): Promise<Identifiers> => {
  const own = new Map<IdentifierName, string>();
  for (const [name, value] of await readIdentifiers(machine))
    if (!(await machine.isShared(name))) own.set(name, value);
  return own;
};

/** `name=value` lines; the input of every hash and key over identifiers. */
export const canonical = (identifiers: Iterable<readonly [IdentifierName, string]>): string =>
  Array.from(identifiers, ([name, value]) => `${name}=${value}`).join('\n');

export const identityOf = (secret: Buffer): Identity => ({
  secret,
  hwid: `sha256:${createHash('sha256').update(secret).digest('hex')}`,
});

/** The identity of a machine seen for the first time; null when it has nothing to bind to. */
export const newIdentity = (identifiers: Identifiers): Identity | null =>
  identifiers.size === 0
    ? null
    : identityOf(
        createHash('sha256')
          .update(`${label}\n${canonical(identifiers)}`)
          .digest(),
      );

/**
 * The identity by a rule that held before: with an identifier that is shared (the machine-id of a container's image), else without
 * the serials of many NVMe disks (`isRegistered`, and a namespace's number behind the serial); null: it is no other one.
 */
export const formerIdentity = async (machine: Machine): Promise<Identity | null> => {
  const identifiers = await readIdentifiers(machine);
  if ((await readOwnIdentifiers(machine)).size < identifiers.size) return newIdentity(identifiers);
  return identifiers.has('diskSerial')
    ? newIdentity(new Map([...identifiers].filter(([name]) => name !== 'diskSerial')))
    : null;
};
