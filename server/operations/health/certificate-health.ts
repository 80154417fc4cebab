import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { StartupError } from '#runtime/program.ts';
import { shareReading } from '#runtime/shared-reading.ts';
import { within } from '#runtime/within.ts';
import { type CertificateFiles, readCertificate } from '../../kernel/http/certificate.ts';

const dayMs = 86_400_000;
/** Programs that renew certificates begin with a third of their life left, or 30 days: then something keeps them from it. */
const soonMs = 14 * dayMs;
/** Of its life, for certificates that live for days only. */
const soonShare = 0.25;

/** What is wrong, or soon will be, with the dates of a certificate, and with the name of the public address, in sentences. */
export const certificateTroubles = (
  own: X509Certificate,
  nowMs: number,
  publicHost: string | null,
): string[] => {
  const { validFromDate, validToDate } = own;
  const [fromMs, toMs] = [validFromDate.getTime(), validToDate.getTime()];
  const leftMs = toMs - nowMs;
  const words: string[] = [];
  if (nowMs < fromMs) words.push(healthReasons['certificate-ahead'](dayOf(validFromDate)));
  else if (leftMs <= 0) words.push(healthReasons['certificate-ended'](dayOf(validToDate)));
  else if (leftMs < Math.min(soonMs, (toMs - fromMs) * soonShare))
    words.push(
      leftMs < 2 * dayMs
        ? healthReasons['certificate-ends-hours'](Math.ceil(leftMs / 3_600_000))
        : healthReasons['certificate-ends-days'](Math.floor(leftMs / dayMs)),
    );
  if (publicHost !== null && !isFor(own, publicHost.replace(/^\[|\]$/g, '')))
    words.push(healthReasons['certificate-name'](publicHost));
  return words;
};

const isFor = (own: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? own.checkHost(host) : own.checkIP(host)) !== undefined;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Reads the files as they are now: those that a renewal has just damaged are named, although the former ones are in use. */
export const inspectCertificate = async (
  files: CertificateFiles,
  nowMs: number,
  publicHost: string | null,
): Promise<string[]> => {
  try {
    const { chain } = await readCertificate(files);
    return certificateTroubles(chain[0], nowMs, publicHost);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [healthReasons['certificate-unusable'](error.message)];
  }
};

/**
 * `inspectCertificate` for health, which is asked about often and waits for nothing: files on a drive that does not answer leave the
 * last finding, and a database that does not answer, or fails, leaves the name unchecked.
 * @param waitMs for each of the two; health probes wait for longer than both
 */
export const followCertificate = (
  files: CertificateFiles,
  publicHost: () => Promise<string | null>,
  waitMs = 800,
): (() => Promise<readonly string[]>) => {
  const host = shareReading(() => publicHost().catch(() => null));
  let found: readonly string[] = [];
  const look = shareReading(async () => {
    const known = await within(waitMs, host.now(), () => null);
    found = await inspectCertificate(files, Date.now(), known);
    return found;
  });
  return () => within(2 * waitMs, look.now(), () => found);
};
