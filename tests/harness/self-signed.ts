import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';

export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const ed25519 = sequence(Buffer.from('06032b6570', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');

/**
 * A new certificate, valid for a day: node:crypto creates keys, but no certificates.
 * @param key the key of the certificate to renew, in PEM
 */
export const selfSigned = (key?: string, host = 'localhost'): SelfSigned => {
  const privateKey = key ? createPrivateKey(key) : generateKeyPairSync('ed25519').privateKey;
  const publicKey = createPublicKey(privateKey);
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))));
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
