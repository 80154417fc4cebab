import { systemClock } from '#runtime/clock.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createSecretBox } from '#runtime/secret-box.ts';
import type { PortalTables } from '../../database/tables.ts';
import { keepSendingMail } from '../keep-sending-mail.ts';
import { defaultMailSender } from '../mail-address.ts';
import { createSmtpTransport } from '../smtp-transport.ts';

export interface SenderOrder {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly smtpUrl: string;
  /** What the sender's clock shows when it starts. */
  readonly nowMs: number;
}

/** A sender in a separate process, for tests that kill it. */
process.once('message', ({ databaseUrl, masterKey, smtpUrl, nowMs }: SenderOrder) => {
  const aheadMs = nowMs - Date.now();
  const log = createLog({ component: 'sender', level: 'silent' });
  const { db } = openDatabase<PortalTables>({ url: new Secret(databaseUrl), applicationName: 'sender', log });
  keepSendingMail({
    db,
    box: createSecretBox([new Secret(masterKey)]),
    clock: { ...systemClock, now: () => new Date(Date.now() + aheadMs) },
    from: defaultMailSender,
    transport: createSmtpTransport({ url: new Secret(smtpUrl) }),
    log,
  });
});
process.once('disconnect', () => process.exit());
