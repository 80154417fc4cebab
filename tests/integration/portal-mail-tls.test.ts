import { expect, test } from 'vitest';
import { selfSigned } from '#harness/self-signed.ts';
import { Secret } from '#runtime/secret.ts';
import { createSmtpTransport } from '../../portal/mail/smtp-transport.ts';
import { startMailServer } from '../../portal/mail/testing/mail-server.ts';

const mail = {
  id: 'c1',
  messageId: '<c1@shop.example>',
  from: { name: 'Shop', address: 'portal@shop.example' },
  to: 'buyer@example.com',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  date: new Date('2026-03-01T12:00:00Z'),
};

// Guarantee: mail goes over TLS only to a server whose certificate is trusted and matches its name.
test.each([
  ['localhost', 'accepted'],
  ['127.0.0.1', 'failed'],
])('smtps to %s', async (host, outcome) => {
  const { cert, key } = selfSigned();
  await using server = await startMailServer({ secure: true, cert, key });
  const url = new Secret(`smtps://${host}:${server.port}`);
  const transport = createSmtpTransport({ url, ca: cert });
  expect((await transport.send(mail, new AbortController().signal)).outcome).toBe(outcome);
  expect(server.mails).toHaveLength(outcome === 'accepted' ? 1 : 0);
});
