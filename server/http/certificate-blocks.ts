import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { decodeText, isTextFault } from '#runtime/decode-text.ts';

/** What a file holds of a certificate, in whatever form it came. */
export interface CertificateFile {
  readonly certificates: readonly X509Certificate[];
  readonly keys: readonly KeyObject[];
  /** Null: nothing stands in the way. Otherwise what the file is, and what to do, in words. */
  readonly refusal: string | null;
}

const convert = {
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
} as const;

const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** Of PEM in any encoding, with any text around it and any line ends, or of DER. */
export const readCertificateFile = (bytes: Buffer): CertificateFile => {
  const read = decodeText(bytes);
  // PEM among letters of an unknown encoding is still PEM.
  const text = isTextFault(read) ? bytes.toString('latin1') : read.text;
  const blocks = [...text.matchAll(block)].map(([, label = '', body = '']) => readBlock(label, body));
  const found = (blocks.length > 0 ? blocks : [readDer(bytes)]).filter((each) => each !== null);
  const refusals = found.flatMap((each) => (typeof each === 'string' ? [each] : []));
  const certificates = found.filter((each) => each instanceof X509Certificate);
  const keys = found.filter((each) => each instanceof KeyObject);
  const isTorn = /-----BEGIN /.test(text) && blocks.length === 0;
  return { certificates, keys, refusal: isTorn ? convert.damaged : (refusals[0] ?? null) };
};

/** Null: belongs there, and says nothing. A string: why it is of no use. */
const readBlock = (label: string, body: string): X509Certificate | KeyObject | string | null => {
  if (/^(?:EC|DH|DSA) PARAMETERS$/.test(label)) return null;
  if (label === 'PKCS7' || label === 'CMS') return convert.p7b;
  if (label.endsWith('CERTIFICATE REQUEST')) return convert.request;
  if (label === 'OPENSSH PRIVATE KEY') return convert.openssh;
  if (label.endsWith('PUBLIC KEY')) return convert.public;
  if (label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(body)) return convert.locked;
  const der = Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64');
  if (/^(?:X509 |TRUSTED )?CERTIFICATE$/.test(label)) return certificateOf(der) ?? convert.damaged;
  if (label.endsWith('PRIVATE KEY')) return keyOf(der) ?? convert.damaged;
  return null;
};

const readDer = (bytes: Buffer): X509Certificate | KeyObject | string => {
  if (bytes.toString('hex', 0, 4) === 'feedfeed') return convert.jks;
  const head = bytes.toString('hex', 0, 24);
  // A sequence that begins with the version of PKCS#12, or with the object id of PKCS#7's signed data.
  if (/^30(?:8[0-4])?[0-9a-f]{0,8}?02010330/.test(head)) return convert.pfx;
  if (/^30(?:8[0-4])?[0-9a-f]{0,8}?06092a864886f70d010702/.test(head)) return convert.p7b;
  return certificateOf(bytes) ?? keyOf(bytes) ?? convert.unknown;
};

const certificateOf = (der: Buffer): X509Certificate | null => {
  try {
    return new X509Certificate(der);
  } catch {
    // Another kind of file; its words are the caller's.
    return null;
  }
};

const keyOf = (der: Buffer): KeyObject | null => {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const)
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // The next form, or none.
    }
  return null;
};

/** The certificate of the key, its issuers in the order that clients need, then whatever else the files hold. */
export const inOrder = (
  own: X509Certificate,
  all: readonly X509Certificate[],
): [X509Certificate, ...X509Certificate[]] => {
  const left = new Map(all.map((each) => [each.fingerprint256, each]));
  const issuers: X509Certificate[] = [];
  left.delete(own.fingerprint256);
  for (let issued = own; ; ) {
    const issuer = [...left.values()].find((each) => issued.checkIssued(each));
    if (issuer === undefined) return [own, ...issuers, ...left.values()];
    issuers.push(issuer);
    left.delete(issuer.fingerprint256);
    issued = issuer;
  }
};
