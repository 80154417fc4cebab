import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { certificatePin } from '#runtime/certificate-pin.ts';

export interface ShownCertificate {
  /** Pin of its public key; see `certificatePin`. */
  readonly pin: string;
  /** SHA-256 of the whole certificate, in hexadecimal. */
  readonly sha256: string;
}

const pem = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
let roots: readonly X509Certificate[] | null = null;

/** How other machines recognize the certificate in this file; null if the usual authorities vouch for it. */
export const shownCertificate = async (certFile: string): Promise<ShownCertificate | null> => {
  const text = await readFile(certFile, 'utf8');
  const chain = (text.match(pem) ?? []).map((each) => new X509Certificate(each));
  const [own] = chain;
  if (own === undefined || isUsuallyTrusted(own, chain)) return null;
  return { pin: certificatePin(own), sha256: createHash('sha256').update(own.raw).digest('hex') };
};

/** Follows the issuers through the file to one of the authorities that Node knows. */
const isUsuallyTrusted = (own: X509Certificate, chain: readonly X509Certificate[]): boolean => {
  roots ??= rootCertificates.map((each) => new X509Certificate(each));
  const left = new Set(chain);
  for (let current: X509Certificate | undefined = own; current; ) {
    const issued: X509Certificate = current;
    const isIssuer = (other: X509Certificate) => issued.checkIssued(other) && issued.verify(other.publicKey);
    if (roots.some(isIssuer)) return true;
    left.delete(issued);
    current = [...left].find(isIssuer);
  }
  return false;
};
