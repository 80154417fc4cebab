// @module-tag exim
// @module-tag openssl

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailAddress } from '#contracts/portal/mail-address.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { createSmtpTransport } from '../../../portal/mail/smtp-transport.ts';
import { makeCertificate } from './certificate.ts';
import { type Exim, startExim } from './exim.ts';

const owned = new AsyncDisposableStack();
let folder: string;
let exim: Exim;
let ca: string;
beforeAll(async () => {
  folder = owned.use(await temporaryFolder('exim')).path;
  ca = (await makeCertificate(folder)).cert;
  exim = owned.use(await startExim(folder));
});
afterAll(() => owned.disposeAsync());

interface Sent {
  readonly to: string;
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly url?: string;
}

const send = ({
  to,
  from = 'portal@shop.example',
  subject = 'Your key',
  text = 'the key: 4711',
  url,
}: Sent) => {
  const address = new Secret(url ?? `smtp://127.0.0.1:${exim.port}`);
  return createSmtpTransport({ url: address, ca }).send(
    {
      ...{ id: 'c1', messageId: `<${Date.now()}@shop.example>`, from: { name: '', address: from } },
      ...{ to: mailAddress().parse(to), subject, text, html: `<p>${text}</p>`, date: new Date() },
    },
    new AbortController().signal,
  );
};
/** Of every accepted mail what Exim keeps: the envelope in one file, the text in another. */
const arrived = async (): Promise<string> => {
  const queue = join(folder, 'spool/input');
  const names = await readdir(queue).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(join(queue, name), 'utf8')))).join('\n');
};
const accepted = { outcome: 'accepted' };
const failed = (permanent: boolean, fault: string) => ({ outcome: 'failed', permanent, fault });

// Guarantee: a real mail server takes mail to addresses of every kind, whole and to the person it is for.
test.each([
  'buyer@example.com',
  "o'brien&co+x@example.com",
  '"john doe"@example.com',
  'user@пример.рф',
  'josé@example.com',
])('a mail to %s', async (to) => {
  const text = `a key of its own ${Math.random()}`;
  expect(await send({ to, text })).toEqual(accepted);
  await eventually(async () => expect(await arrived()).toContain(text), 30_000);
  const domain = to.endsWith('рф') ? 'xn--e1afmkfd.xn--p1ai' : 'example.com';
  expect(await arrived()).toContain(`${to.slice(0, to.lastIndexOf('@'))}@${domain}`);
});

// Guarantee: of what a real server refuses, only the mailbox's own fault is final.
test.each<[string, Sent, object]>([
  ['no such mailbox', { to: 'nobody-here@example.com' }, failed(true, '550 at RCPT TO')],
  ['a disabled mailbox', { to: 'disabled@example.com' }, failed(true, '550 5.2.1 at RCPT TO')],
  ['a full mailbox', { to: 'full@example.com' }, failed(false, '550 5.2.2 at RCPT TO')],
  ['a mailbox that is full for now', { to: 'fullnow@example.com' }, failed(false, '451 4.2.2 at RCPT TO')],
  ['our own limit', { to: 'limited@example.com' }, failed(false, '550 5.4.5 at RCPT TO')],
  ['a refusal without a reason', { to: 'unspecific@example.com' }, failed(false, '550 at RCPT TO')],
  ['relaying', { to: 'buyer@elsewhere.example' }, failed(false, '550 at RCPT TO')],
  [
    'a blocked sender',
    { to: 'buyer@example.com', from: 'blocked@shop.example' },
    failed(false, '550 5.7.1 at MAIL FROM'),
  ],
  ['a filter', { to: 'buyer@example.com', subject: 'no spam' }, failed(false, '550 5.7.1 at DATA')],
])('%s', async (_what, sent, outcome) => {
  expect(await send(sent)).toEqual(outcome);
});

// Guarantee: a mail that greylisting has put off arrives when it is tried again.
test('greylisting', async () => {
  const sent = { to: 'grey-buyer@example.com' };
  expect(await send(sent)).toMatchObject({ outcome: 'failed', permanent: false });
  expect(await send(sent)).toEqual(accepted);
});

// Guarantee: a host that is not plainly this machine gets the password over STARTTLS only, and a wrong one is tried again.
test('a password', async () => {
  const at = (password: string) => `smtp://portal:${encodeURIComponent(password)}@LOCALHOST:${exim.port}`;
  expect(await send({ to: 'buyer@example.com', url: at('a password') })).toEqual(accepted);
  expect(await readFile(join(folder, 'log/mainlog'), 'utf8')).toMatch(/ X=TLS1\.[23].* A=plain:portal/);
  expect(await send({ to: 'buyer@example.com', url: at('wrong') })).toEqual(failed(false, '535 at AUTH'));
});
