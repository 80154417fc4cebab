import { expect, test } from 'vitest';
import { identityOf, newIdentity, readIdentifiers } from './hwid.ts';
import type { IdentifierName } from './identifier.ts';
import { createMachine, type Machine } from './machine.ts';
import { rewrapped, unwrapKeys, type WrappedKey, wrappedKeySchema } from './wrapped-keys.ts';

type Parts = Partial<Record<IdentifierName, string>>;

const original: Parts = { machineId: 'machine-a', smbiosUuid: 'board-a', diskSerial: 'disk-a' };
const machineOf = (parts: Parts): Machine => createMachine(async (name) => parts[name] ?? null);

const identityFor = async (parts: Parts) => {
  const identity = newIdentity(await readIdentifiers(machineOf(parts)));
  if (identity === null) throw new Error('nothing to bind to');
  return identity;
};

const activated = async (parts: Parts) => {
  const { secret, hwid } = await identityFor(parts);
  return { hwid, seals: rewrapped(secret, await readIdentifiers(machineOf(parts)), []) };
};

/** Opens on a machine and, as after a successful check, seals again; null when it does not open. */
const visit = async (seals: readonly WrappedKey[], parts: Parts) => {
  const secret = await unwrapKeys(seals, machineOf(parts));
  if (secret === null) return null;
  return {
    hwid: identityOf(secret).hwid,
    seals: rewrapped(secret, await readIdentifiers(machineOf(parts)), seals),
  };
};

const visitOrFail = async (seals: readonly WrappedKey[], parts: Parts) => {
  const visited = await visit(seals, parts);
  if (visited === null) throw new Error('does not open');
  return visited;
};

// Guarantee: a reinstall on an unchanged machine gives the same HWID, and another machine gives another one.
test('the HWID follows from the identifiers alone', async () => {
  const { hwid } = await identityFor(original);
  expect(hwid).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect((await identityFor({ ...original })).hwid).toBe(hwid);
  expect((await identityFor({ ...original, diskSerial: 'disk-b' })).hwid).not.toBe(hwid);
  expect(newIdentity(await readIdentifiers(machineOf({})))).toBeNull();
});

// Guarantee: knowing the HWID does not give the secret that it is made of.
test('the HWID is a hash of the secret', async () => {
  const { secret, hwid } = await identityFor(original);
  expect(hwid).not.toContain(secret.toString('hex'));
});

// Guarantee: of three identifiers any one may change; of two, neither; a single one may not.
test('how many identifiers must agree', async () => {
  const { hwid, seals } = await activated(original);
  for (const changed of Object.keys(original)) {
    expect((await visit(seals, { ...original, [changed]: 'other' }))?.hwid).toBe(hwid);
    expect(await visit(seals, { [changed]: original[changed as IdentifierName] ?? '' })).toBeNull();
  }
  const two = await activated({ machineId: 'machine-a', diskSerial: 'disk-a' });
  expect(await visit(two.seals, { machineId: 'machine-a', diskSerial: 'disk-b' })).toBeNull();
  expect(await visit(two.seals, { machineId: 'machine-a' })).toBeNull();
  const one = await activated({ machineId: 'machine-a' });
  expect((await visit(one.seals, { machineId: 'machine-a', diskSerial: 'new' }))?.hwid).toBe(one.hwid);
  expect(await visit(one.seals, { machineId: 'machine-b' })).toBeNull();
});

// Guarantee: what seals a secret on a machine with one, two or three identifiers can be read back from its record.
test('seals in a record', async () => {
  for (const parts of [{ machineId: 'a' }, { machineId: 'a', diskSerial: 'b' }, original]) {
    const { seals } = await activated(parts);
    expect(wrappedKeySchema.array().min(1).parse(seals)).toEqual(seals);
  }
});

// Guarantee: a BIOS update this year and a new disk next year lock no one out, and the HWID stays.
test('re-sealing follows one change after another', async () => {
  const first = await activated(original);
  const afterBios = await visitOrFail(first.seals, { ...original, smbiosUuid: 'board-b' });
  const afterDisk = await visitOrFail(afterBios.seals, {
    ...original,
    smbiosUuid: 'board-b',
    diskSerial: 'disk-b',
  });
  const allNew = { machineId: 'machine-b', smbiosUuid: 'board-b', diskSerial: 'disk-b' };
  const afterAll = await visitOrFail(afterDisk.seals, allNew);
  expect([afterBios.hwid, afterDisk.hwid, afterAll.hwid]).toEqual([first.hwid, first.hwid, first.hwid]);
  // The replaced parts no longer open it: a machine built from them is another one.
  expect(await visit(afterAll.seals, original)).toBeNull();
});

// Guarantee: an identifier that cannot be read today does not weaken the record.
test('an unreadable identifier keeps its seals', async () => {
  const { hwid, seals } = await activated(original);
  const { diskSerial: _unread, ...withoutDisk } = original;
  const later = await visitOrFail(seals, withoutDisk);
  expect(later.seals).toHaveLength(3);
  expect((await visit(later.seals, { ...original, smbiosUuid: 'board-b' }))?.hwid).toBe(hwid);
});

// Guarantee: an unchanged machine changes nothing in the record.
test('seals that still open are kept as they are', async () => {
  const { seals } = await activated(original);
  expect((await visitOrFail(seals, original)).seals).toEqual(seals);
});

// Guarantee: the slow identifier is not read when the cheap ones open the record.
test('reading is lazy', async () => {
  const { seals } = await activated(original);
  const read: IdentifierName[] = [];
  const machine = createMachine(async (name) => {
    read.push(name);
    return original[name] ?? null;
  });
  expect(await unwrapKeys(seals.toReversed(), machine)).not.toBeNull();
  expect(read).toEqual(['machineId', 'smbiosUuid']);
});

// Guarantee: cut, mixed-up and foreign seals do not open, and do not throw either.
test('damaged seals stay shut', async () => {
  const { seals } = await activated(original);
  const [first, second] = seals;
  if (!first || !second) throw new Error('three seals expected');
  for (const seal of [
    { ...first, sealed: second.sealed },
    { ...first, salt: second.salt },
    { ...first, under: second.under },
    { ...first, sealed: '' },
    { ...first, sealed: first.sealed.slice(0, -3) },
  ])
    expect(await unwrapKeys([seal], machineOf(original))).toBeNull();
});
