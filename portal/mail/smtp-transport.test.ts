import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import { type MailServer, type MailServerOptions, refusal, startMailServer } from './testing/mail-server.ts';
import type { Handover, OutgoingMail } from './transport.ts';

const mail: OutgoingMail = {
  id: 'c1',
  messageId: '<c1@shop.example>',
  from: { name: 'Käse, Shop "x"', address: 'portal@shop.example' },
  to: 'buyer@example.com',
  subject: 'Ihr Schlüssel',
  text: 'the key: 4711\n.\nafter a dot',
  html: '<p>4711</p>',
  date: new Date('2026-03-01T12:00:00Z'),
};
const never = new AbortController().signal;

const sendTo = async (
  options: MailServerOptions,
  address: (server: MailServer) => string = ({ url }) => url.reveal(),
  deadlineMs = 30_000,
): Promise<{ answer: Handover; server: MailServer }> => {
  await using server = await startMailServer(options);
  const transport = createSmtpTransport({ url: new Secret(address(server)), deadlineMs });
  return { answer: await transport.send(mail, never), server };
};

// Guarantee: one mail goes to one recipient, with the id of its row and the configured sender.
test('a mail arrives whole', async () => {
  const { answer, server } = await sendTo({});
  expect(answer).toEqual({ outcome: 'accepted' });
  const [{ to, raw } = { to: '', raw: '' }] = server.mails;
  expect(to).toBe('buyer@example.com');
  expect(raw).toContain('Message-ID: <c1@shop.example>');
  expect(raw).toMatch(/^To: buyer@example\.com\r$/m);
  expect(raw).toMatch(/^From: .*<portal@shop\.example>\r$/m);
  expect(raw).toMatch(/^Subject: =\?UTF-8\?/im);
  expect(raw).toContain('Auto-Submitted: auto-generated');
  expect(raw).toContain('after a dot');
  expect(raw).not.toMatch(/^Bcc:/im);
});

// Guarantee: each kind of refusal becomes an answer that says what to do; none throws, and none repeats a server's words.
test.each<[string, MailServerOptions, boolean, RegExp]>([
  [
    'no such user',
    { onRcptTo: (_to, _session, done) => done(refusal(550, 'buyer@example.com?')) },
    true,
    /^550 .*at RCPT TO$/,
  ],
  [
    'greylisted',
    { onRcptTo: (_to, _session, done) => done(refusal(451, 'later')) },
    false,
    /^451 .*at RCPT TO$/,
  ],
  [
    'unknown sender',
    { onMailFrom: (_from, _session, done) => done(refusal(550, 'who')) },
    false,
    /^550 .*at MAIL FROM$/,
  ],
  ['not today', { onConnect: (_session, done) => done(refusal(421, 'busy')) }, false, /421/],
  [
    'spam',
    {
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(refusal(554, 'the key: 4711')));
      },
    },
    false,
    /^554 .*at DATA$/,
  ],
])('%s', async (_what, options, permanent, fault) => {
  const { answer } = await sendTo(options);
  expect(answer).toMatchObject({ outcome: 'failed', permanent, fault: expect.stringMatching(fault) });
  expect(JSON.stringify(answer)).not.toMatch(/buyer|4711/);
});

// Guarantee: a refused password is no reason to give a mail up, and is in no answer.
test('wrong password', async () => {
  const { answer } = await sendTo(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(535, 'wrong: hunter22%')),
    },
    ({ port }) => `smtp://shop:hunter22%25@127.0.0.1:${port}`,
  );
  expect(answer).toMatchObject({ outcome: 'failed', permanent: false, fault: expect.stringMatching(/^535/) });
  expect(JSON.stringify(answer)).not.toContain('hunter22');
});

test('the right password', async () => {
  const seen: string[] = [];
  const { answer } = await sendTo(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        seen.push(`${username} ${password}`);
        done(null, { user: username });
      },
    },
    ({ port }) => `smtp://shop:hunter22%25@127.0.0.1:${port}`,
  );
  expect(answer.outcome).toBe('accepted');
  expect(seen).toEqual(['shop hunter22%']);
});

// Guarantee: beyond this machine nothing, least of all the password, is sent without TLS.
test('no mail in plain to another machine', async () => {
  const commands: string[] = [];
  const { answer, server } = await sendTo(
    {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        commands.push('AUTH');
        done(null, { user: 'x' });
      },
    },
    ({ port }) => `smtp://shop:hunter22@0.0.0.0:${port}`,
  );
  expect(answer.outcome).toBe('failed');
  expect(server.mails).toHaveLength(0);
  expect(commands).toHaveLength(0);
});

// Guarantee: an untrusted certificate is refused, with TLS from the start or by STARTTLS.
test.each<[string, MailServerOptions, (server: MailServer) => string]>([
  ['smtps', { secure: true }, ({ port }) => `smtps://localhost:${port}`],
  ['STARTTLS', {}, ({ port }) => `smtp://0.0.0.0:${port}`],
])('an unknown certificate over %s', async (_what, options, address) => {
  const { answer, server } = await sendTo(options, address);
  expect(answer).toMatchObject({ outcome: 'failed', permanent: false });
  expect(server.mails).toHaveLength(0);
});

// Guarantee: a server that is unreachable, silent or never finishes delays a mail no longer than its deadline.
test('nobody listens', async () => {
  const server = await startMailServer();
  await server[Symbol.asyncDispose]();
  const answer = await createSmtpTransport({ url: server.url }).send(mail, never);
  expect(answer).toEqual({ outcome: 'failed', permanent: false, fault: 'SMTP ECONNREFUSED' });
});

test('a server that says nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const url = new Secret(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const answer = await createSmtpTransport({ url, deadlineMs: 200 }).send(mail, never);
    expect(answer).toEqual({ outcome: 'failed', permanent: false, fault: 'no answer in time' });
  } finally {
    silent.close();
  }
});

test('a server that never confirms', async () => {
  const released = Promise.withResolvers<void>();
  await using server = await startMailServer({ beforeAnswer: () => released.promise });
  const answer = await createSmtpTransport({ url: server.url, deadlineMs: 500 }).send(mail, never);
  released.resolve();
  expect(answer).toMatchObject({ outcome: 'failed', fault: 'no answer in time' });
});

// Guarantee: a connection that breaks after the mail was sent but not confirmed counts as failed: the mail is sent again.
test('the connection drops after DATA', async () => {
  await using server: MailServer = await startMailServer({ beforeAnswer: () => server.dropConnections() });
  const answer = await createSmtpTransport({ url: server.url }).send(mail, never);
  expect(answer).toMatchObject({ outcome: 'failed', permanent: false });
  expect(server.mails).toHaveLength(1);
});

// Guarantee: a portal that stops does not wait for a slow mail server.
test('a send is cut when the portal stops', async () => {
  const stopping = new AbortController();
  const released = Promise.withResolvers<void>();
  await using server = await startMailServer({
    beforeAnswer() {
      stopping.abort();
      return released.promise;
    },
  });
  const answer = await createSmtpTransport({ url: server.url }).send(mail, stopping.signal);
  released.resolve();
  expect(answer).toMatchObject({ outcome: 'failed', permanent: false });
});
