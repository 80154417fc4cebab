import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readPortalConfig } from '../config.ts';

const read = async (variables: Record<string, string>) => {
  await using folder = await temporaryFolder('mail-settings');
  return await readPortalConfig({ PORTAL_HOME: folder.path, ...variables });
};

// Guarantee: settings of mail and webhooks that cannot work are named at the start, and none of their secrets is shown.
test.each<[string, Record<string, string>, RegExp]>([
  [
    'another protocol',
    { SMTP_URL: 'http://u:hunter22@mail.example', MAIL_FROM: 'a@b.example' },
    /SMTP_URL: must begin/,
  ],
  ['no host', { SMTP_URL: 'smtp:hunter22', MAIL_FROM: 'a@b.example' }, /SMTP_URL: must name a host/],
  [
    'options in the address',
    { SMTP_URL: 'smtp://mail.example/?tls=hunter22', MAIL_FROM: 'a@b.example' },
    /SMTP_URL: must end/,
  ],
  [
    'no password',
    { SMTP_URL: 'smtps://hunter22@mail.example', MAIL_FROM: 'a@b.example' },
    /SMTP_URL: must have a password/,
  ],
  [
    'a bare percent sign',
    { SMTP_URL: 'smtps://u:hunter22%@mail.example', MAIL_FROM: 'a@b.example' },
    /SMTP_URL: must write/,
  ],
  ['no sender', { SMTP_URL: 'smtps://u:hunter22@mail.example' }, /MAIL_FROM: is missing/],
  ['a sender with a line break', { MAIL_FROM: 'A\r\nBcc: b@c.example <a@b.example>' }, /MAIL_FROM: must be/],
  [
    'a short secret of a gateway',
    { PURCHASE_WEBHOOK_SECRET_STRIPE: 'hunter22' },
    /PURCHASE_WEBHOOK_SECRET_STRIPE: must be/,
  ],
  ['a short secret', { PURCHASE_WEBHOOK_SECRET: 'hunter22' }, /PURCHASE_WEBHOOK_SECRET: must be/],
  [
    'one short secret of two',
    { PURCHASE_WEBHOOK_SECRET: `${'x'.repeat(32)},hunter22` },
    /PURCHASE_WEBHOOK_SECRET: must be/,
  ],
])('%s', async (_what, variables, message) => {
  const error: Error = await read(variables).then(
    () => expect.fail('was taken'),
    (thrown) => thrown,
  );
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('hunter22');
});

test('right settings are taken, their secrets hidden', async () => {
  const config = await read({
    SMTP_URL: 'smtps://u:hunter22%25@mail.example',
    MAIL_FROM: 'Shop <a@b.example>',
    PURCHASE_WEBHOOK_SECRET: `${'x'.repeat(32)}, ${'y'.repeat(32)}`,
  });
  expect(config.mailFrom).toEqual({ name: 'Shop', address: 'a@b.example' });
  expect(config.webhookSecrets.generic.map((secret) => secret.reveal()[0])).toEqual(['x', 'y']);
  expect(JSON.stringify(config)).not.toMatch(/hunter22|xxxx/);
});
