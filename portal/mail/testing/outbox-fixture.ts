import type { TestDatabase } from '#harness/database.ts';
import {
  movableClock,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { createLog } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { createSecretBox } from '#runtime/secret-box.ts';
import { parseMailSender } from '../mail-address.ts';
import { claimDueMails, type SendingOptions, sendClaimedMail } from '../mail-sender.ts';
import { renderMail } from '../mail-template.ts';
import { createOutbox, type Mail, type Outbox } from '../outbox.ts';
import type { MailTransport } from '../transport.ts';

export interface OutboxFixture extends AsyncDisposable {
  readonly portal: TestPortal;
  readonly database: TestDatabase;
  readonly masterKey: Secret;
  readonly clock: ReturnType<typeof movableClock>;
  readonly outbox: Outbox;
  readonly logged: string[];
  enqueue(mail?: Partial<Mail>): Promise<void>;
  options(transport: MailTransport): SendingOptions;
  /** One round; returns how many mails were claimed. */
  send(transport: MailTransport): Promise<number>;
}

export const sampleMail: Mail = {
  to: 'buyer@example.com',
  ...renderMail({
    kind: 'sample',
    language: 'en',
    write: () => ({ subject: 'A sample', parts: ['Hello', { copy: 'code-4711' }] }),
  }),
};

/** A portal's outbox on its own database, with a clock that is moved by hand. */
export const outboxFixture = async (): Promise<OutboxFixture> => {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await portalDatabase());
  const clock = movableClock();
  const masterKey = newMasterKey();
  const portal = starting.use(await startTestPortal({ databaseUrl: database.url, masterKey, clock }));
  const { db } = portal.context;
  const box = createSecretBox([masterKey]);
  const from = parseMailSender('Castellan <portal@shop.example>') ?? { name: '', address: '' };
  const outbox = createOutbox({ db, box, clock, from });
  const logged: string[] = [];
  const log = createLog({
    component: 'portal',
    level: 'trace',
    destination: { write: (line) => logged.push(line) },
  });
  const options = (transport: MailTransport) => ({ db, box, clock, from, transport, log });
  const resources = starting.move();
  return {
    portal,
    database,
    masterKey,
    clock,
    outbox,
    logged,
    enqueue: (mail = {}) =>
      db.transaction().execute((trx) => outbox.enqueue(trx, { ...sampleMail, ...mail })),
    options,
    async send(transport) {
      const mails = await claimDueMails(options(transport), 4);
      const { signal } = new AbortController();
      await Promise.all(mails.map((mail) => sendClaimedMail(options(transport), mail, signal)));
      return mails.length;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
