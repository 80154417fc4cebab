import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { SenderOrder } from './testing/mail-sender-main.ts';
import { type MailServerOptions, startMailServer } from './testing/mail-server.ts';
import { type OutboxFixture, outboxFixture } from './testing/outbox-fixture.ts';

let fixture: OutboxFixture;
let senders: ChildProcess[] = [];
beforeEach(async () => {
  fixture = await outboxFixture();
});
afterEach(async () => {
  for (const sender of senders.splice(0)) {
    if (sender.exitCode !== null || sender.signalCode !== null) continue;
    sender.kill('SIGKILL');
    await once(sender, 'exit');
  }
  await fixture[Symbol.asyncDispose]();
});

const sendersAt = (smtpUrl: string, count: number): void => {
  const { database, masterKey, clock } = fixture;
  const order: SenderOrder = {
    databaseUrl: database.url.reveal(),
    masterKey: masterKey.reveal(),
    smtpUrl,
    nowMs: clock.now().getTime(),
  };
  const started = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, 'testing/mail-sender-main.ts')),
  );
  for (const sender of started) sender.send(order);
  senders = [...senders, ...started];
};
const states = async () => {
  const rows = await fixture.portal.context.db.selectFrom('mail_outbox').select('state').execute();
  return rows.map(({ state }) => state);
};
const idsOf = (mails: readonly { raw: string }[]): string[] =>
  mails.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? '');

// Guarantee: of several sender processes, only one sends each mail.
test('two processes, each mail once', async () => {
  await using server = await startMailServer();
  for (let count = 0; count < 30; count += 1) await fixture.enqueue({ to: `buyer${count}@example.com` });
  sendersAt(server.url.reveal(), 2);
  await eventually(async () => expect(new Set(await states())).toEqual(new Set(['sent'])), 30_000);
  expect(server.mails).toHaveLength(30);
  expect(new Set(idsOf(server.mails)).size).toBe(30);
});

// Guarantee: if a sender dies between sending a mail and recording it, the mail is sent at most once more, under the same id.
test('killed while the server answers', async () => {
  const options: MailServerOptions = {
    // The mail is accepted, but its sender dies before the answer.
    beforeAnswer(count) {
      if (count === 1) for (const sender of senders) sender.kill('SIGKILL');
    },
  };
  await using server = await startMailServer(options);
  await fixture.enqueue();
  sendersAt(server.url.reveal(), 1);
  await eventually(() => expect(senders[0]?.signalCode).toBe('SIGKILL'), 30_000);
  expect(await states()).toEqual(['due']);
  // While the dead sender's lease runs, no other sender touches it.
  const transport = createSmtpTransport({ url: server.url });
  expect(await fixture.send(transport)).toBe(0);
  await fixture.portal.context.db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: fixture.clock.now() })
    .execute();
  expect(await fixture.send(transport)).toBe(1);
  expect(await states()).toEqual(['sent']);
  const [first, second, ...more] = idsOf(server.mails);
  expect(second).toBe(first);
  expect(more).toHaveLength(0);
});

// Guarantee: a mail whose senders all die is given up, not retried forever.
test('a mail that kills its senders', async () => {
  await fixture.enqueue();
  await fixture.portal.context.db.updateTable('mail_outbox').set({ attempts: 24 }).execute();
  await using server = await startMailServer();
  await fixture.send(createSmtpTransport({ url: server.url }));
  expect(await states()).toEqual(['given_up']);
  expect(server.mails).toHaveLength(0);
});

// Guarantee: no address, text or words of the server are in the log line of a failed attempt.
test('a failure is logged without what is private', async () => {
  await using server = await startMailServer({
    onRcptTo: (_to, _session, done) =>
      done(Object.assign(new Error('buyer@example.com code-4711'), { responseCode: 450 })),
  });
  await fixture.enqueue();
  await fixture.send(createSmtpTransport({ url: server.url }));
  expect(fixture.logged.join()).toMatch(/450 .*at RCPT TO/);
  expect(fixture.logged.join()).not.toMatch(/4711|buyer@example/);
});

// Guarantee: if a portal is stopped while a slow server has its mail, the mail stays due, is not lost, and the portal does not hang.
test('stopped with a mail in hand', async () => {
  const released = Promise.withResolvers<void>();
  await using server = await startMailServer({ beforeAnswer: () => released.promise });
  await fixture.enqueue();
  const { context } = fixture.portal;
  const sender = context.sendMail(createSmtpTransport({ url: server.url }));
  await eventually(() => expect(server.mails).toHaveLength(1), 30_000);
  await sender[Symbol.asyncDispose]();
  released.resolve();
  expect(await states()).toEqual(['due']);
});

// Guarantee: one mail that a server keeps waiting does not delay the others.
test('a slow mail and quick ones', async () => {
  const released = Promise.withResolvers<void>();
  await using server = await startMailServer({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('slow')) void released.promise.then(() => done());
      else done();
    },
  });
  await fixture.enqueue({ to: 'slow@example.com' });
  for (let count = 0; count < 9; count += 1) await fixture.enqueue();
  const sender = fixture.portal.context.sendMail(createSmtpTransport({ url: server.url }));
  await eventually(() => expect(server.mails).toHaveLength(9), 30_000);
  released.resolve();
  await eventually(async () => expect(new Set(await states())).toEqual(new Set(['sent'])), 30_000);
  await sender[Symbol.asyncDispose]();
  expect(server.mails).toHaveLength(10);
});
