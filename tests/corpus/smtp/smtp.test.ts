import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { createSmtpTransport } from '../../../portal/mail/smtp-transport.ts';
import { changedInputsTimeout, checkChanged } from '../changed-inputs.ts';
import { mutated, mutations } from '../mutate.ts';

/** File → what the mail's state names, and whether the mail is given up. */
const right: Readonly<Record<string, readonly [fault: string, isFinal: boolean]>> = {
  'gmail-daily-limit': ['550 5.4.5 at RCPT TO', false],
  'gmail-no-such-user': ['550 5.1.1 at RCPT TO', true],
  'gmail-unsolicited': ['550 5.7.1 at DATA', false],
  'gmail-unauthenticated': ['550 5.7.26 at DATA', false],
  'gmail-disabled': ['550 5.2.1 at RCPT TO', true],
  'gmail-full': ['552 5.2.2 at RCPT TO', false],
  'gmail-full-for-now': ['452 4.2.2 at RCPT TO', false],
  'exchange-daily-limit': ['550 5.1.90 at RCPT TO', false],
  'exchange-no-such-recipient': ['550 5.1.10 at RCPT TO', true],
  'exchange-bad-outbound-sender': ['550 5.1.8 at RCPT TO', false],
  'exchange-access-denied': ['550 5.4.1 at RCPT TO', false],
  'exchange-sender-not-authenticated': ['550 5.7.134 at RCPT TO', false],
  'exchange-throttled': ['450 4.7.3 at RCPT TO', false],
  'outlook-mailbox-unavailable': ['550 5.5.0 at RCPT TO', true],
  'outlook-blocked': ['550 5.7.1 at MAIL FROM', false],
  'yahoo-no-account': ['554 at DATA', true],
  'yahoo-not-accepted': ['554 5.7.9 at DATA', false],
  'postfix-unknown': ['550 5.1.1 at RCPT TO', true],
  'postfix-sender-unknown': ['550 5.1.0 at RCPT TO', false],
  'postfix-relay': ['554 5.7.1 at RCPT TO', false],
  'postfix-spf': ['550 5.7.23 at RCPT TO', false],
  postgrey: ['450 4.2.0 at RCPT TO', false],
  'exim-unknown': ['550 at RCPT TO', true],
  'exim-relay': ['550 at RCPT TO', false],
  'exim-greylist': ['451 at RCPT TO', false],
  'cpanel-hourly-limit': ['550 at RCPT TO', false],
  'qmail-not-in-rcpthosts': ['553 at RCPT TO', false],
  'rfc5321-name-not-allowed': ['553 at RCPT TO', true],
  'rfc5321-not-local': ['551 at RCPT TO', true],
  'null-mx': ['556 5.1.10 at RCPT TO', true],
  'mimecast-invalid': ['550 at RCPT TO', true],
  spamhaus: ['550 at RCPT TO', false],
  'ten-a-day': ['550 5.7.1 at DATA', false],
  'ses-sandbox': ['554 at DATA', false],
  'brevo-quota': ['550 at RCPT TO', false],
  'wrong-password': ['535 5.7.8 at AUTH', false],
  busy: ['450 4.3.2 at RCPT TO', false],
  'shutting-down': ['SMTP ECONNECTION', false],
  'no-words': ['550 at RCPT TO', true],
  size: ['552 5.3.4 at MAIL FROM', false],
  'gmail-too-fast': ['550 5.2.1 at RCPT TO', false],
  'ironport-rejected': ['550 at RCPT TO', true],
  'blacklisted-as-unknown': ['550 5.1.1 at RCPT TO', false],
  'gmx-sender-domain': ['550 at RCPT TO', false],
  'postfix-probe-failed': ['550 5.1.1 at RCPT TO', false],
  'postfix-probe-unknown': ['550 5.1.1 at RCPT TO', true],
  'opensmtpd-unknown': ['550 at RCPT TO', true],
  'opensmtpd-temporary': ['451 at RCPT TO', false],
  'sendmail-unknown': ['550 5.3.0 at RCPT TO', true],
  'exim-callout-of-sender': ['550 at RCPT TO', false],
  'qmail-no-mailbox': ['511 at RCPT TO', true],
  'icloud-unknown': ['550 5.1.1 at RCPT TO', true],
  'recipient-moved': ['550 5.1.6 at RCPT TO', true],
  'icoremail-suspended': ['550 at RCPT TO', true],
  'greylisted-for-good': ['550 5.1.1 at RCPT TO', false],
};

/** The bytes of a refusal, which libraries for servers would word in their own way. */
let refusal: { readonly stage: string; readonly reply: string | Buffer; readonly isLast?: true };
const usual = (line: string): string => {
  if (/^EHLO/i.test(line)) return '250-corpus\r\n250-AUTH PLAIN\r\n250 ENHANCEDSTATUSCODES';
  if (/^DATA/i.test(line)) return '354 go on';
  return /^AUTH/i.test(line) ? '235 2.7.0 in' : '250 2.0.0 ok';
};
let server: Server;
beforeAll(async () => {
  server = createServer((socket) => {
    let pending = '';
    let isText = false;
    socket.write('220 corpus ESMTP\r\n');
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (data) => {
      pending += data;
      for (;;) {
        const end = pending.indexOf(isText ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const line = pending.slice(0, end);
        pending = pending.slice(end + (isText ? 5 : 2));
        const isRefused = isText ? refusal.stage === 'DATA' : line.toUpperCase().startsWith(refusal.stage);
        const isTextNext = !isText && /^DATA/i.test(line);
        if (isRefused && !isTextNext && refusal.isLast) return void socket.end(refusal.reply);
        socket.write(
          `${isRefused && !isTextNext ? refusal.reply : isText ? '250 2.0.0 ok' : usual(line)}\r\n`,
        );
        isText = isTextNext;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));

// Guarantee: a mail is given up only at a refusal that names the recipient's mailbox, and no words of the server are kept.
test.each(files)('%s', async (file) => {
  refusal = refusalIn(file);
  const [fault, permanent] = right[file.replace('.txt', '')] ?? [];
  expect(await send()).toEqual({ outcome: 'failed', permanent, fault });
});

const refusalIn = (file: string) => {
  const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8').replace(/^#.*\n/, '');
  const [stage = '', ...reply] = text.trim().split('\n');
  return { stage, reply: reply.join('\r\n') };
};

const send = async () => {
  const { port } = server.address() as AddressInfo;
  const transport = createSmtpTransport({ url: new Secret(`smtp://user:password@127.0.0.1:${port}`) });
  const mail = {
    id: 'c1',
    messageId: '<c1@shop.example>',
    from: { name: '', address: 'portal@shop.example' },
  };
  const content = { to: 'buyer@example.com', subject: 's', text: 't', html: '<p>t</p>', date: new Date(0) };
  return transport.send({ ...mail, ...content }, new AbortController().signal);
};

// Guarantee: whatever becomes of a server's reply, the mail has an outcome, and of the server's words only numbers are kept.
test('changed replies', { timeout: changedInputsTimeout }, () =>
  checkChanged('smtp', fc.tuple(fc.constantFrom(...files), mutations), async ([file, changes]) => {
    const { stage, reply } = refusalIn(file);
    refusal = { stage, reply: mutated(Buffer.from(`${reply}\r\n`), changes), isLast: true };
    const result = await send();
    if (result.outcome === 'failed')
      expect(result.fault).toMatch(/^(?:SMTP [A-Z]+|\d{1,3}(?: \d\.\d{1,3}\.\d{1,3})? at [A-Z ]+)$/);
  }),
);

test('the table has no more rows than there are files', () => {
  expect(Object.keys(right).sort()).toEqual(files.map((file) => file.replace('.txt', '')).sort());
});
