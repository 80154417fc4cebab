import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { type CertificateRefusal, readCertificateFile } from '../certificate-file.ts';

/** A company has a handful; the store of a whole system has some 150, 250 KB. */
const maxBytes = 4 * 1024 * 1024;

type AuthoritiesReading =
  | { readonly certificates: readonly string[] }
  /** What is wrong with the file, after its name. */
  | { readonly fault: string };

/** What a file is, and what to do. */
const refusals: Readonly<Record<CertificateRefusal, string>> = {
  pfx: 'is a PFX file (PKCS #12); export it as X.509 (.cer)',
  p7b: 'is a PKCS #7 bundle (.p7b); export it as X.509 (.cer)',
  locked: 'holds a private key and no certificate',
  request: 'is a request for a certificate and not one',
  openssh: 'holds a key for SSH and no certificate',
  jks: 'is a key store of Java; export the root from it with keytool -exportcert',
  public: 'holds a public key and no certificate',
  damaged: 'holds a damaged certificate',
  unknown: 'holds no certificate',
};

const isRoot = (certificate: X509Certificate): boolean => certificate.checkIssued(certificate);

/** Certificates in a file, in every form in which a certificate of the API can stand. */
export const readAuthorities = (bytes: Buffer): AuthoritiesReading => {
  const { certificates, keys, refusal } = readCertificateFile(bytes);
  if (refusal === 'damaged') return { fault: refusals.damaged };
  if (certificates.length === 0)
    return { fault: refusals[refusal ?? (keys.length > 0 ? 'locked' : 'unknown')] };
  if (!certificates.some(isRoot))
    return { fault: 'holds no root certificate, but only one that another has signed; export the root' };
  return { certificates: certificates.map((each) => each.toString()) };
};

/** Synchronous, since it is read once, before the first connection. */
const readAuthoritiesFile = (path: string): AuthoritiesReading => {
  try {
    const bytes = readFileSync(path);
    return bytes.length > maxBytes ? { fault: 'is too large' } : readAuthorities(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` };
  }
};

/** What is wrong with the file of own authorities; null: nothing. */
export const authoritiesFault = (path: string): string | null => {
  const reading = readAuthoritiesFile(path);
  return 'fault' in reading ? reading.fault : null;
};

/** @param path TRUSTED_CA_FILE; a file that cannot be used holds none: `authoritiesFault` says why */
export const ownAuthorities = (path: string | undefined): readonly string[] => {
  const reading = path === undefined ? { certificates: [] } : readAuthoritiesFile(path);
  return 'fault' in reading ? [] : reading.certificates;
};

let isStoreFaultTold = false;

/**
 * The authorities in the system's store; none where it cannot be read. In some stores of Windows is a certificate that Node cannot
 * convert, and then Node gives none of them (nodejs/node#61636, github/copilot-cli#1250).
 */
export const systemAuthorities = (): readonly string[] => {
  try {
    return tls.getCACertificates('system');
  } catch (error) {
    if (!isStoreFaultTold)
      process.emitWarning(
        `The certificates in this computer's store are not used, since they cannot be read (${(error as Error).message}). If a connection needs one, name its file in TRUSTED_CA_FILE.`,
      );
    isStoreFaultTold = true;
    return [];
  }
};

let usual: readonly string[] | undefined;
let addedFrom: string | undefined | null = null;

/**
 * From now on this process trusts, in addition to Node's roots, the authorities in the system's store and those in a file. Reading
 * the store takes some 20 to 120 ms, so that it is done before the first connection and not when a program starts.
 * @param path as for `ownAuthorities`
 */
export const trustAuthorities = (path: string | undefined): void => {
  if (addedFrom === path) return;
  addedFrom = path;
  // As they are before this process adds any: those of a file that is no longer set are not kept.
  usual ??= tls.getCACertificates('default');
  tls.setDefaultCACertificates([...new Set([...usual, ...systemAuthorities(), ...ownAuthorities(path)])]);
};
