import type { KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import {
  type CertificateFile,
  type CertificateRefusal,
  readCertificateFile,
} from '#runtime/certificate-file.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';

/** TLS_CERT_FILE and TLS_KEY_FILE: PEM or DER, the chain in any order, the key in either. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Certificate {
  /** The chain in PEM. */
  readonly cert: string;
  readonly key: string;
  /** That of the key first. */
  readonly chain: readonly [X509Certificate, ...X509Certificate[]];
}

/** What a file is, and what to do. */
const refusals: Readonly<Record<CertificateRefusal, string>> = {
  pfx: 'is a PFX file (PKCS#12), which keeps the key behind a password. Write PEM files from it: openssl pkcs12 -in FILE -out certificate.pem -nokeys, and openssl pkcs12 -in FILE -out key.pem -nocerts -nodes. In win-acme, choose the store “PEM encoded files”',
  p7b: 'is a PKCS#7 file (.p7b). Write a PEM file from it: openssl pkcs7 -print_certs -in FILE -out certificate.pem (for a binary one, with -inform DER)',
  locked:
    'holds a key that is encrypted with a password. Write it without one: openssl pkey -in FILE -out key.pem',
  request: 'is a request for a certificate (CSR). Use the certificate that the authority has made from it',
  openssh:
    'holds a key for SSH, which no web server takes. Use the key that the request for the certificate was made with',
  jks: 'is a key store of Java. Write a PFX file from it with keytool -importkeystore, and PEM files from that with openssl pkcs12',
  public: 'holds a public key. Use the private key that the request for the certificate was made with',
  damaged: 'holds a certificate or key that cannot be read: it is damaged or was copied in part',
  unknown: 'holds neither a certificate nor a key',
};

/** @throws {StartupError} saying which file is what, and what to do; the message contains nothing of the key */
export const readCertificate = async ({ certFile, keyFile }: CertificateFiles): Promise<Certificate> => {
  const files = [await read('TLS_CERT_FILE', certFile), await read('TLS_KEY_FILE', keyFile)];
  const certificates = files.flatMap((file) => file.certificates);
  const keys = files.flatMap((file) => file.keys);
  const refused = files.find(({ refusal }) => refusal !== null);
  if (refused && (certificates.length === 0 || keys.length === 0)) throw refused.fault();
  if (certificates.length === 0)
    throw new StartupError(
      `TLS_CERT_FILE: ${certFile} holds no certificate. Name the certificate's file there.`,
    );
  if (keys.length === 0)
    throw new StartupError(`TLS_KEY_FILE: ${keyFile} holds no private key. Name the key's file there.`);
  const pair = findPair(certificates, keys);
  if (pair === null)
    throw new StartupError(
      `TLS_KEY_FILE: the key in ${keyFile} belongs to none of the certificates in ${certFile} (${namesOf(certificates[0])}). Use the key that the request for this certificate was made with.`,
    );
  const chain = inOrder(pair.own, certificates);
  const cert = chain.map((each) => each.toString()).join('');
  const key = pair.key.export({ type: 'pkcs8', format: 'pem' }).toString();
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `TLS_CERT_FILE: the certificate in ${certFile} cannot be used (${code}). Request a new one with an RSA key of at least 2048 bits or an EC key.`,
    );
  }
  return { cert, key, chain };
};

const isValid = ({ validFromDate, validToDate }: X509Certificate): boolean => {
  const now = Date.now();
  return validFromDate.getTime() <= now && now < validToDate.getTime();
};

/** Of several for the same, the valid one that was issued last; if none is valid, the one that was or will be for longest. */
const current = (certificates: readonly X509Certificate[]): X509Certificate | undefined => {
  const valid = certificates.filter(isValid);
  return valid.length > 0
    ? valid.reduce((best, each) => (each.validFromDate > best.validFromDate ? each : best))
    : certificates.toSorted((a, b) => b.validToDate.getTime() - a.validToDate.getTime())[0];
};

/**
 * A key and its certificate: those that stand first in the files, unless they have ended and others have not. A renewal may have added
 * to a file in place of writing a new one.
 */
const findPair = (certificates: readonly X509Certificate[], keys: readonly KeyObject[]) => {
  const pairs = keys
    .flatMap((key) => {
      const own = current(certificates.filter((each) => each.checkPrivateKey(key)));
      return own ? [{ own, key, at: certificates.findIndex((each) => each.checkPrivateKey(key)) }] : [];
    })
    .sort((a, b) => a.at - b.at);
  return pairs.find(({ own }) => isValid(own)) ?? pairs[0] ?? null;
};

/** The certificate of the key and its issuers in the order that clients need; whatever else the files hold is sent to no one. */
const inOrder = (
  own: X509Certificate,
  all: readonly X509Certificate[],
): readonly [X509Certificate, ...X509Certificate[]] => {
  const chain: [X509Certificate, ...X509Certificate[]] = [own];
  for (let issued = own; !issued.checkIssued(issued); ) {
    const issuer = current(
      all.filter(
        (each) => !chain.includes(each) && issued.checkIssued(each) && issued.verify(each.publicKey),
      ),
    );
    if (issuer === undefined) break;
    chain.push(issuer);
    issued = issuer;
  }
  return chain;
};

const namesOf = (certificate: X509Certificate | undefined): string =>
  certificate?.subjectAltName?.replaceAll('DNS:', '') ?? certificate?.subject?.replaceAll('\n', ', ') ?? '';

const read = async (
  variable: string,
  path: string,
): Promise<CertificateFile & { readonly fault: () => StartupError }> => {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`${variable}: ${error.message}`);
  });
  // A file is empty for a moment while it is rewritten. Node would treat it as no certificate, and all handshakes would fail.
  if (bytes.length === 0) throw new StartupError(`${variable}: ${path} is empty.`);
  const file = readCertificateFile(bytes);
  return {
    ...file,
    // In quotes, so that the command can be pasted; a function, since `$&` in a path would mean something in a replacement.
    fault: () =>
      new StartupError(
        `${variable}: ${path} ${refusals[file.refusal ?? 'unknown'].replaceAll('FILE', () => `"${path}"`)}.`,
      ),
  };
};

/** Switches to a renewed certificate; a half-written or broken one leaves the current one in use. */
export const watchCertificate = ({
  files,
  current,
  use,
  log,
  intervalMs,
}: {
  readonly files: CertificateFiles;
  readonly current: Certificate;
  readonly use: (certificate: Certificate) => void;
  readonly log: Log;
  readonly intervalMs: number;
}): Disposable => {
  let used = current;
  let complaint = '';
  const look = async () => {
    try {
      const found = await readCertificate(files);
      complaint = '';
      if (found.cert === used.cert && found.key === used.key) return;
      use(found);
      used = found;
      log.info({ certFile: files.certFile }, 'now using the renewed TLS certificate');
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint) log.warn(`${message} Still using the previous TLS certificate.`);
      complaint = message;
    }
  };
  // One at a time: on a drive that does not answer, each look would block one more of the few file threads.
  return runPeriodically({ intervalMs, work: look, failure: 'could not look at the TLS certificate', log });
};
