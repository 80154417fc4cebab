import { expect, test } from 'vitest';
import { customersHttp } from '#contracts/portal/customers.ts';
import { mailsTo } from '#harness/mailbox.ts';
import { newHwid, newMasterKey, portalDatabase, startTestPortal } from '#harness/portal.ts';
import { createCaller } from './testing/customer-caller.ts';

// Guarantee: every mail about the customer area contains its address, as browsers reach it.
test('letters lead to the customer area', async () => {
  await using database = await portalDatabase();
  const masterKey = newMasterKey();
  const publicUrl = 'https://licenses.example.com/';
  await using portal = await startTestPortal({ databaseUrl: database.url, masterKey, publicUrl });
  const { ask, newCustomer, signIn } = createCaller(portal, masterKey);
  const { email, license } = await newCustomer();
  await portal.activate(license.licenseKey, newHwid());
  const as = await signIn(email);
  const hwid = newHwid();
  await ask(customersHttp.requestRevealCode, { as, id: license.id });
  await ask(customersHttp.requestTransfer, { as, id: license.id, body: { hwid } });
  await portal.activate(license.licenseKey, hwid);
  const mails = await mailsTo(portal.context, masterKey, email);
  const linked = mails.filter(({ text }) => text.includes('\n    https://licenses.example.com/account\n'));
  expect(linked.map(({ kind }) => kind)).toEqual([
    'sign_in_code',
    'reveal_code',
    'transfer_requested',
    'transfer_completed',
  ]);
});
