import { join } from 'node:path';
import type { Log } from '#runtime/log.ts';
import { nothingSet, outsideFaults } from '#runtime/outside/outside.ts';
import type { Secret } from '#runtime/secret.ts';
import { createFolderTransport } from './folder-transport.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { MailTransport } from './transport.ts';

/** What of the settings cannot be used is named in the log, as other programs do it at their start. */
export const chooseTransport = (
  {
    smtpUrl,
    home,
    trustedCaFile,
  }: {
    /** Null: mails become files in the data folder. */
    readonly smtpUrl: Secret | null;
    readonly home: string;
    readonly trustedCaFile?: string | undefined;
  },
  log: Pick<Log, 'warn'>,
): MailTransport => {
  for (const fault of outsideFaults({ ...nothingSet, trustedCaFile })) log.warn(fault);
  if (smtpUrl) return createSmtpTransport({ url: smtpUrl, trustedCaFile });
  log.warn('SMTP_URL is not set: mails are not sent, only stored as files in the data folder');
  return createFolderTransport(join(home, 'mail'));
};

/** The password in the URL, in the form in which a log could contain it. */
export const smtpPassword = (smtpUrl: Secret | null): string =>
  smtpUrl ? decodeURIComponent(new URL(smtpUrl.reveal()).password) : '';
