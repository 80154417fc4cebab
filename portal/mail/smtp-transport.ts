import { promisify } from 'node:util';
import SmtpConnection from 'nodemailer/lib/smtp-connection';
import { canonicalAddress } from '#runtime/ip-address.ts';
import { trustAuthorities } from '#runtime/outside/trusted-authorities.ts';
import type { Secret } from '#runtime/secret.ts';
import { composeMail } from './compose-mail.ts';
import { smtpFault } from './smtp-fault.ts';
import type { Handover, MailTransport, OutgoingMail } from './transport.ts';

const isLoopback = (host: string): boolean => {
  const address = canonicalAddress(host);
  return host === 'localhost' || address === '::1' || address?.startsWith('127.') === true;
};

/** A server on this machine gets its mail unencrypted if the URL says smtp: no one else can listen there. */
const connectionTo = (url: URL, ca: string | undefined) => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const plain = !secure && isLoopback(host);
  return new SmtpConnection({
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    dnsTimeout: 15_000,
    maxResponseSize: 64 * 1024,
  });
};

const defaultDeadlineMs = 120_000;

/** One connection per mail: there are few, and none is lost on a stale connection. */
export const createSmtpTransport = (options: {
  /** `smtps://user:password@host:465`, or `smtp://…:587`, which is upgraded by STARTTLS. */
  readonly url: Secret;
  /** Its authorities are trusted in addition to Node's and the system's. */
  readonly trustedCaFile?: string | undefined;
  /** The only certificate authority, in PEM. */
  readonly ca?: string;
  /** How long one mail may take in total. */
  readonly deadlineMs?: number;
}): MailTransport => {
  const url = new URL(options.url.reveal());
  const { ca, trustedCaFile, deadlineMs = defaultDeadlineMs } = options;
  return {
    async send(mail, signal) {
      const deadline = AbortSignal.timeout(deadlineMs);
      trustAuthorities(trustedCaFile);
      const connection = connectionTo(url, ca);
      const cut = AbortSignal.any([signal, deadline]);
      try {
        await Promise.race([handOver(connection, url, mail), brokenOff(connection, cut)]);
        connection.quit();
        return { outcome: 'accepted' };
      } catch (error) {
        connection.close();
        if (signal.aborted) return failed('the portal was stopped');
        return deadline.aborted ? failed('no answer in time') : { outcome: 'failed', ...smtpFault(error) };
      }
    },
  };
};

const failed = (fault: string): Handover => ({ outcome: 'failed', permanent: false, fault });

const handOver = async (connection: SmtpConnection, url: URL, mail: OutgoingMail): Promise<void> => {
  const message = await composeMail(mail);
  await promisify((done: (error: Error | null) => void) => {
    connection.connect((error) => done(error ?? null));
  })();
  if (url.username !== '') {
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
    await promisify((done: (error: Error | null) => void) => {
      connection.login(auth, (error) => done(error ?? null));
    })();
  }
  await promisify((done: (error: Error | null) => void) => {
    connection.send({ from: mail.from.address, to: [mail.to] }, message, (error) => done(error ?? null));
  })();
};

/** Rejects when the connection fails, or is to be cut. */
const brokenOff = (connection: SmtpConnection, cut: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    connection.on('error', reject);
    connection.on('end', () => reject(Object.assign(new Error('closed'), { code: 'ECONNECTION' })));
    cut.addEventListener('abort', () => reject(cut.reason), { once: true });
    if (cut.aborted) reject(cut.reason);
  });
