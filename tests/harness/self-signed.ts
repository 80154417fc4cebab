import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { commonName, der, objectId, sequence, time } from './der.ts';

export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
}

const ed25519 = sequence(objectId('2b6570'));

/**
 * A new certificate, valid for a day: node:crypto creates keys, but no certificates.
 * @param key the key of the certificate to renew, in PEM
 */
export const selfSigned = (key?: string, host = 'localhost'): SelfSigned => {
  const privateKey = key ? createPrivateKey(key) : generateKeyPairSync('ed25519').privateKey;
  const publicKey = createPublicKey(privateKey);
  const name = commonName(host);
  const dayMs = 86_400_000;
  const signed = sequence(
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ed25519,
    name,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign(null, signed, privateKey));
  const certificate = new X509Certificate(sequence(signed, ed25519, signature));
  return {
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: certificate.fingerprint256,
  };
};
