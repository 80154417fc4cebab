import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OutboxFixture, outboxFixture } from './testing/outbox-fixture.ts';
import type { MailTransport } from './transport.ts';

let fixture: OutboxFixture;
beforeEach(async () => {
  fixture = await outboxFixture();
});
afterEach(() => fixture[Symbol.asyncDispose]());

const refusing = (permanent = false): MailTransport => ({
  send: async () => ({ outcome: 'failed', permanent, fault: '550 at RCPT TO' }),
});
const accepting: MailTransport = { send: async () => ({ outcome: 'accepted' }) };
const rows = () => fixture.portal.context.db.selectFrom('mail_outbox').selectAll().execute();

// Guarantee: a mail and its cause commit together or not at all.
test('a cause that is rolled back mails nothing', async () => {
  const { db } = fixture.portal.context;
  const failing = db.transaction().execute(async (trx) => {
    await fixture.outbox.enqueue(trx, { to: 'a@example.com', kind: 'x', subject: 'x', text: 'x', html: 'x' });
    throw new Error('afterwards');
  });
  await expect(failing).rejects.toThrow('afterwards');
  expect(await rows()).toHaveLength(0);
});

// Guarantee: a mail's content is stored sealed and deleted once it was sent; neither it nor the address is in any log.
test('the text is sealed, then blanked', async () => {
  await fixture.enqueue();
  expect(JSON.stringify(await rows())).not.toContain('4711');
  expect(await fixture.send(accepting)).toBe(1);
  const [mail] = await rows();
  expect(mail).toMatchObject({ state: 'sent', body_sealed: null, attempts: 1 });
  expect(fixture.logged.join()).not.toMatch(/4711|buyer@example/);
});

// Guarantee: a line break in a subject never reaches a header, and no mail is created for an invalid address.
test('headers cannot be injected', async () => {
  await fixture.enqueue({ subject: 'Hello\r\nBcc: evil@example.com\u2028x' });
  expect((await rows())[0]?.subject).toBe('Hello Bcc: evil@example.com x');
  const hostile = 'a@example.com\r\nBcc: evil@example.com';
  const refused = await fixture.enqueue({ to: hostile }).catch((error: Error) => error.message);
  expect(refused).toMatch(/valid e-mail address/);
  expect(refused).not.toContain('evil');
});

// Guarantee: a mail that cannot be sent is retried later, given up in the end, and can be sent after all by the vendor.
test('given up, and retried by the vendor', async () => {
  await fixture.enqueue();
  expect(await fixture.send(refusing())).toBe(1);
  expect(await fixture.send(refusing())).toBe(0);
  for (let days = 0; days < 40 && (await rows())[0]?.state === 'due'; days += 1) {
    fixture.clock.pass(4 * 3_600_000);
    await fixture.send(refusing());
  }
  const [view] = await fixture.outbox.list({ state: 'given_up', limit: 10 });
  expect(view).toMatchObject({ lastFault: '550 at RCPT TO', canRetry: true, nextAttemptAt: null });
  expect(await fixture.outbox.retry(view?.id ?? '')).toBe('retried');
  expect(await fixture.send(accepting)).toBe(1);
  expect(await fixture.outbox.retry(view?.id ?? '')).toBe('not-given-up');
  expect(await fixture.outbox.retry('cnone')).toBe('not-found');
});

// Guarantee: an expired code is no longer mailed, and is not stored either.
test('a mail that is out of date is dropped', async () => {
  await fixture.enqueue({ expiresAt: new Date(fixture.clock.now().getTime() + 600_000) });
  await fixture.send(refusing());
  fixture.clock.pass(600_000);
  await fixture.send(accepting);
  const [view] = await fixture.outbox.list({ limit: 10 });
  expect(view).toMatchObject({ state: 'given_up', canRetry: false });
  expect(await fixture.outbox.retry(view?.id ?? '')).toBe('text-gone');
});

// Guarantee: an address that the server refuses permanently is given up immediately.
test('a permanent refusal', async () => {
  await fixture.enqueue();
  await fixture.send(refusing(true));
  expect((await rows())[0]).toMatchObject({ state: 'given_up', attempts: 1 });
});

// Guarantee: the pages of the list contain every mail once.
test('the list is paged', async () => {
  for (let count = 0; count < 5; count += 1) await fixture.enqueue();
  const seen: string[] = [];
  for (;;) {
    const before = seen.at(-1);
    const page = await fixture.outbox.list({ limit: 2, ...(before ? { before } : {}) });
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
  }
  expect(new Set(seen).size).toBe(5);
  expect(seen).toHaveLength(5);
});
