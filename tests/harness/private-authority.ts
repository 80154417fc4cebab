import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import { commonName, der, objectId, sequence, time } from './der.ts';

/** A certificate with its key, in PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateDates {
  readonly from?: Date;
  readonly until?: Date;
}

export interface CertificateOptions extends CertificateDates {
  /** Where its issuer's certificate is, as authorities of the internet say it. */
  readonly issuerUrl?: string;
  /** That of the certificate to renew, in PEM. */
  readonly key?: string;
}

/** An authority that no list of authorities contains: a company's, or that of a program which looks into TLS. */
export interface PrivateAuthority extends IssuedCertificate {
  readonly name: string;
  /** The same in DER. */
  readonly der: Buffer;
  /** A certificate for names and IPv4 addresses; valid from yesterday until tomorrow unless dates are given. */
  issue(hosts: readonly [string, ...string[]], options?: CertificateOptions): IssuedCertificate;
  /** An authority below this one. */
  delegate(name: string): PrivateAuthority;
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const isTrue = der(0x01, Buffer.from([0xff]));
const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(objectId(id), ...(isCritical ? [isTrue] : []), der(0x04, value));
const basicConstraints = (isAuthority: boolean) =>
  extension('551d13', sequence(...(isAuthority ? [isTrue] : [])), true);
/** keyCertSign and cRLSign. */
const signsCertificates = extension('551d0f', der(0x03, Buffer.from([1, 0x06])), true);
const isForServers = extension('551d25', sequence(objectId('2b06010505070301')));
const alternativeNames = (hosts: readonly string[]) =>
  extension(
    '551d11',
    sequence(
      ...hosts.map((host) =>
        isIPv4(host)
          ? der(0x87, Buffer.from(host.split('.').map(Number)))
          : der(0x82, Buffer.from(host, 'latin1')),
      ),
    ),
  );

const caIssuers = (url: string) =>
  extension(
    '2b06010505070101',
    sequence(sequence(objectId('2b06010505073002'), der(0x86, Buffer.from(url)))),
  );

const dayMs = 86_400_000;
const pairOf = (key: string) => ({ privateKey: createPrivateKey(key), publicKey: createPublicKey(key) });
const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Unsigned extends CertificateDates {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const signed = (privateKey: KeyObject, { issuer, subject, publicKey, extensions, ...dates }: Unsigned) => {
  const { from = new Date(Date.now() - dayMs), until = new Date(Date.now() + dayMs) } = dates;
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(from), time(until)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  return new X509Certificate(sequence(content, ecdsaWithSha256, signature));
};

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const authorityOf = (name: string, privateKey: KeyObject, own: X509Certificate): PrivateAuthority => ({
  name,
  cert: own.toString(),
  key: pemOf(privateKey),
  der: own.raw,
  issue(hosts, { issuerUrl, key, ...dates } = {}) {
    const issued = key === undefined ? pair() : pairOf(key);
    const certificate = signed(privateKey, {
      ...{ issuer: name, subject: hosts[0], publicKey: issued.publicKey, ...dates },
      extensions: [
        basicConstraints(false),
        isForServers,
        alternativeNames(hosts),
        ...(issuerUrl === undefined ? [] : [caIssuers(issuerUrl)]),
      ],
    });
    return { cert: certificate.toString(), key: pemOf(issued.privateKey) };
  },
  delegate(below) {
    const { publicKey, privateKey: belowKey } = pair();
    const certificate = signed(privateKey, {
      ...{ issuer: name, subject: below, publicKey },
      extensions: [basicConstraints(true), signsCertificates],
    });
    return authorityOf(below, belowKey, certificate);
  },
});

/**
 * With curves that Chromium, Windows and Node all read, unlike those of `selfSigned`.
 * @param options with hosts, a server may also show the authority's own certificate
 */
export const privateAuthority = (
  name = 'Example Company Root',
  { hosts = [], ...dates }: CertificateDates & { readonly hosts?: readonly string[] } = {},
): PrivateAuthority => {
  const { publicKey, privateKey } = pair();
  const root = signed(privateKey, {
    ...{ issuer: name, subject: name, publicKey, ...dates },
    extensions: [basicConstraints(true), hosts.length > 0 ? alternativeNames(hosts) : signsCertificates],
  });
  return authorityOf(name, privateKey, root);
};
