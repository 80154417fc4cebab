import { join } from 'node:path';
import type { Secret } from '#runtime/secret.ts';
import { createFolderTransport } from './folder-transport.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { MailTransport } from './transport.ts';

export interface MailSettings {
  /** Null: mails become files in the data folder. */
  readonly smtpUrl: Secret | null;
  readonly home: string;
  readonly trustedCaFile?: string | undefined;
}

export const chooseTransport = ({ smtpUrl, home, trustedCaFile }: MailSettings): MailTransport =>
  smtpUrl ? createSmtpTransport({ url: smtpUrl, trustedCaFile }) : createFolderTransport(join(home, 'mail'));

/** The password in the URL, in the form in which a log could contain it. */
export const smtpPassword = (smtpUrl: Secret | null): string =>
  smtpUrl ? decodeURIComponent(new URL(smtpUrl.reveal()).password) : '';
