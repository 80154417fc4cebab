import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '#runtime/clock.ts';
import { whenThereIsRoom } from '#runtime/disk-space.ts';
import { warnOfForeignAccess } from '#runtime/foreign-access.ts';
import { listen } from '#runtime/http/listen.ts';
import { trustsPeer } from '#runtime/http/routes.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { createPortalApp } from './app.ts';
import { maxDrainSeconds, portalHome, readPortalConfig } from './config.ts';
import { createContext } from './context.ts';
import { keepForgettingSignIns } from './customers/forget-old-sign-ins.ts';
import { reachDatabase } from './database/reach-database.ts';
import { finishRestore } from './home/finish-restore.ts';
import { announcePortal } from './home/running-portal.ts';
import { chooseTransport, smtpPassword } from './mail/choose-transport.ts';
import { hasSharedSecret } from './purchases/webhook-secrets.ts';
import { keepForgettingCounters } from './rate-limits/forget-old-counters.ts';
import { runKeySchedule } from './signing-keys/key-schedule.ts';
import { keepForgettingVendorSignIns } from './vendor/accounts/forget-old-sign-ins.ts';
import { keepCountingChecks } from './vendor/check-counts.ts';

/** The time in which requests are still accepted, plus the ten seconds that every program has. */
const stopDeadlineMs = (maxDrainSeconds + 10) * 1000;

/** Runs the portal as a server until it is told to stop. */
export const serve = ({
  variables,
  guardianEntry,
}: {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly guardianEntry: string;
}): Promise<void> => {
  let redact = createRedactor();
  const log = createLog({ component: 'portal', redact: (text) => redact(text) });

  return runProgram(
    async ({ resources, stop, stopping }) => {
      const open = async () => {
        await using opening = new AsyncDisposableStack();
        await finishRestore(variables, (words) => log.warn(words));
        const config = await readPortalConfig(variables);
        log.level = config.logLevel;
        const onLost = (error: unknown) => {
          log.fatal({ err: error }, 'could not keep Postgres running');
          stop('Postgres is lost', 1);
        };
        const reached = await reachDatabase({
          config,
          purpose: 'serve',
          guardianEntry,
          log,
          resources: opening,
          onLost,
        });
        const { databaseUrl, masterKey, postgresPort } = reached;
        redact = createRedactor([
          databaseUrl,
          masterKey,
          ...config.previousMasterKeys,
          ...Object.values(config.webhookSecrets).flat(),
          ...[config.adminToken, config.metricsToken].filter((token) => token !== null),
          smtpPassword(config.smtpUrl),
          decodeURIComponent(new URL(databaseUrl.reveal()).password),
        ]);

        const context = opening.use(
          await createContext({
            databaseUrl,
            masterKey,
            previousMasterKeys: config.previousMasterKeys,
            mailFrom: config.mailFrom,
            publicUrl: config.publicUrl,
            webhookSecrets: config.webhookSecrets,
            adminToken: config.adminToken ?? undefined,
            log,
          }),
        );
        opening.use(keepForgettingCounters(context.pool, log));
        const { db, vendorArea } = context;
        opening.use(
          keepForgettingVendorSignIns({ db, sessions: vendorArea.sessions, clock: systemClock, log }),
        );
        opening.use(keepCountingChecks(vendorArea.checks, log));
        opening.use(keepForgettingSignIns(context.pool, systemClock, log));
        if (hasSharedSecret(config.webhookSecrets))
          log.warn(
            'a webhook secret is accepted from every gateway: limit it to one with PURCHASE_WEBHOOK_SECRET_STRIPE or PURCHASE_WEBHOOK_SECRET_GENERIC',
          );
        const { smtpUrl, home, trustedCaFile } = config;
        opening.use(context.sendMail(chooseTransport({ smtpUrl, home, trustedCaFile }, log)));
        const { signingKeys } = context;
        const { keyRotationDays: rotationDays } = config;
        opening.use(runKeySchedule({ signingKeys, rotationDays, clock: systemClock, log }));
        const { trustProxy, publicUrl: browsersUrl, metricsToken, drainSeconds, host } = config;
        const handler = createPortalApp(context, {
          trustProxy,
          publicUrl: browsersUrl,
          metricsToken,
          // Without a drain time the port closes immediately: a client that was turned away could not come back in time anyway.
          stopping: drainSeconds > 0 ? stopping : null,
          log,
        });
        const isTrustedProxy = trustsPeer(handler);
        const { port } = opening.use(await listen({ handler, host, port: config.port, isTrustedProxy, log }));
        opening.use(await announcePortal(config.home, { port, pid: process.pid, postgresPort }));
        // The first step of a stop: /ready already says no, and everything else continues.
        if (drainSeconds > 0) opening.defer(() => delay(drainSeconds * 1000));
        const { kid } = context.keyRing.active;
        const publicUrl = config.publicUrl ?? `http://${host}:${port}`;
        log.info({ port, pid: process.pid, publicUrl, kid, home: config.home }, 'portal ready');
        resources.use(opening.move());
      };
      await whenThereIsRoom(portalHome(variables), open, {
        signal: stopping,
        onFull: (error) => log.error({ err: error }, 'the disk is full; waiting until there is room'),
      });
      warnOfForeignAccess(portalHome(variables), log);
    },
    { log, stopDeadlineMs },
  );
};
