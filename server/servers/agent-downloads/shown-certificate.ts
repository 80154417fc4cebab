import { createHash, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { certificatePin } from '#runtime/certificate-pin.ts';
import { StartupError } from '#runtime/program.ts';
import { type CertificateFiles, readCertificate } from '../../kernel/http/certificate.ts';

interface ShownCertificate {
  /** Pin of its public key; see `certificatePin`. */
  readonly pin: string;
  /** SHA-256 of the whole certificate, in hexadecimal. */
  readonly sha256: string;
}

let roots: readonly X509Certificate[] | null = null;

/**
 * How other machines recognize the certificate in these files; null if the usual authorities vouch for it, or while a renewal
 * has left files that cannot be used.
 */
export const shownCertificate = async (files: CertificateFiles): Promise<ShownCertificate | null> => {
  const chain = await readCertificate(files).then(
    (read) => read.chain,
    (error: Error) => {
      if (error instanceof StartupError) return null;
      throw error;
    },
  );
  if (chain === null) return null;
  const [own] = chain;
  if (isUsuallyTrusted(chain)) return null;
  return { pin: certificatePin(own), sha256: createHash('sha256').update(own.raw).digest('hex') };
};

/** Whether one of the authorities that Node knows has signed one of the chain. */
const isUsuallyTrusted = (chain: readonly X509Certificate[]): boolean => {
  roots ??= rootCertificates.map((each) => new X509Certificate(each));
  return chain.some((issued) =>
    roots?.some((other) => issued.checkIssued(other) && issued.verify(other.publicKey)),
  );
};
