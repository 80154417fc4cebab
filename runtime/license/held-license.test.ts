import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { newSigningKey } from './testing/fake-portal.ts';
import { install, readRecord, recordPath, someParts, toNextCheck } from './testing/installation.ts';

// Guarantee: a record copied to another machine gives no license there; activating there binds that machine's own HWID.
test('a copied record', async () => {
  await using installation = await install();
  const { hwid } = (await installation.activated()).status();
  installation.parts = someParts();
  installation.portal.asked.length = 0;
  const copy = await installation.open();
  expect(copy.status()).toMatchObject({
    state: 'rejected',
    code: 'LICENSE_RECORD_UNUSABLE',
    licenseId: null,
  });
  expect(copy.status().hwid).not.toBe(hwid);
  await copy.checkNow();
  expect(installation.portal.asked).toEqual([]);
  expect(await copy.activate(installation.licenseKey)).toEqual({ outcome: 'activated' });
  expect(copy.status()).toMatchObject({ state: 'valid' });
});

// Guarantee: knowing the HWID and writing other seals and another key into the record does not help either.
test('an edited record', async () => {
  await using victim = await install();
  await victim.activated();
  const stolen = await readRecord(victim);
  await using thief = await install();
  await thief.activated();
  const own = await readRecord(thief);
  const { publicKey } = victim.portal.key;
  for (const forged of [
    stolen,
    { ...stolen, seals: own.seals },
    { ...stolen, seals: own.seals, licenseKey: own.licenseKey },
  ]) {
    await writeFile(recordPath(thief), JSON.stringify(forged));
    const client = await thief.open({ publicKey });
    expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' });
    await client[Symbol.asyncDispose]();
  }
});

// Guarantee: a BIOS update this year and a new disk next year lock no one out; the HWID stays the same.
test('hardware that changes bit by bit', async () => {
  await using installation = await install();
  const first = await installation.activated();
  const { hwid } = first.status();
  await first[Symbol.asyncDispose]();
  for (const changed of ['smbiosUuid', 'diskSerial'] as const) {
    installation.parts = { ...installation.parts, [changed]: crypto.randomUUID() };
    const client = await installation.open();
    expect(client.status()).toMatchObject({ state: 'valid', hwid });
    expect(await client.checkNow()).toMatchObject({ state: 'valid', hwid });
    await client[Symbol.asyncDispose]();
  }
});

// Guarantee: if an identifier cannot be read at a start, the license heals as soon as it can be.
test('an identifier that comes back', async () => {
  await using installation = await install();
  const { machineId, smbiosUuid } = installation.parts;
  installation.parts = { ...(machineId && { machineId }), ...(smbiosUuid && { smbiosUuid }) };
  await (await installation.activated())[Symbol.asyncDispose]();
  installation.parts = { ...(machineId && { machineId }) };
  const client = await installation.open();
  expect(await client.checkNow()).toMatchObject({ state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' });
  installation.parts = { ...installation.parts, ...(smbiosUuid && { smbiosUuid }) };
  expect(await toNextCheck(client, installation)).toMatchObject({ state: 'valid' });
});

// Guarantee: a damaged license.json is a clear state and never a crash; it is kept when a new activation replaces it.
test('a damaged record', async () => {
  await using installation = await install();
  await (await installation.activated())[Symbol.asyncDispose]();
  const cut = (await readFile(recordPath(installation), 'utf8')).slice(0, 300);
  await writeFile(recordPath(installation), cut);
  const client = await installation.open();
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' });
  expect(await client.activate(installation.licenseKey)).toEqual({ outcome: 'activated' });
  expect(client.status().state).toBe('valid');
  expect(await readFile(`${recordPath(installation)}.unreadable`, 'utf8')).toBe(cut);
});

// Guarantee: a build or .env of another environment says so, and names the key that signed.
test('another public key', async () => {
  await using installation = await install();
  await (await installation.activated())[Symbol.asyncDispose]();
  const { publicKey } = await newSigningKey();
  const client = await installation.open({ publicKey });
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_WRONG_ENVIRONMENT' });
  expect(client.status().detail).toContain(installation.portal.key.kid);
});
