import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { decodeText, isTextFault } from './decode-text.ts';

/** What a file is in place of a certificate or key; those who read it have the words for what to do. */
export type CertificateRefusal =
  | 'pfx'
  | 'p7b'
  | 'locked'
  | 'request'
  | 'openssh'
  | 'jks'
  | 'public'
  | 'damaged'
  | 'unknown';

/** What a file holds of certificates and keys, in whatever form it came. */
export interface CertificateFile {
  readonly certificates: readonly X509Certificate[];
  readonly keys: readonly KeyObject[];
  /** Null: nothing stands in the way. */
  readonly refusal: CertificateRefusal | null;
}

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
  const isTorn = (text.match(/-----BEGIN /g)?.length ?? 0) > blocks.length;
  return { certificates, keys, refusal: isTorn ? 'damaged' : (refusals[0] ?? null) };
};

type Found = X509Certificate | KeyObject | CertificateRefusal;

/** Null: belongs there, and says nothing. */
const readBlock = (label: string, body: string): Found | null => {
  if (/^(?:EC|DH|DSA) PARAMETERS$/.test(label)) return null;
  if (label === 'PKCS7' || label === 'CMS') return 'p7b';
  if (label.endsWith('CERTIFICATE REQUEST')) return 'request';
  if (label === 'OPENSSH PRIVATE KEY') return 'openssh';
  if (label.endsWith('PUBLIC KEY')) return 'public';
  if (label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(body)) return 'locked';
  const der = Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64');
  if (/^(?:X509 |TRUSTED )?CERTIFICATE$/.test(label)) return certificateOf(der) ?? 'damaged';
  if (label.endsWith('PRIVATE KEY')) return keyOf(der) ?? 'damaged';
  return null;
};

const readDer = (bytes: Buffer): Found => {
  if (bytes.toString('hex', 0, 4) === 'feedfeed') return 'jks';
  const head = bytes.toString('hex', 0, 24);
  // A sequence that begins with the version of PKCS#12, or with the object id of PKCS#7's signed data.
  if (/^30(?:8[0-4])?[0-9a-f]{0,8}?02010330/.test(head)) return 'pfx';
  if (/^30(?:8[0-4])?[0-9a-f]{0,8}?06092a864886f70d010702/.test(head)) return 'p7b';
  return certificateOf(bytes) ?? keyOf(bytes) ?? 'unknown';
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
