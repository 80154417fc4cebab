import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const time = (date: Date) => text(0x17, `${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);
const id = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

const ecdsaWithSha256 = sequence(id('2a8648ce3d040302'));
const nameOf = (name: string) => sequence(der(0x31, sequence(id('550403'), text(0x0c, name))));
const extension = (hex: string, isCritical: boolean, value: Buffer) =>
  sequence(id(hex), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));

export interface CertificateOptions {
  /** Names that it is for; an authority has none. */
  readonly hosts?: readonly string[];
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** Where its issuer's certificate is, as authorities of the internet say it. */
  readonly issuerUrl?: string;
}

export interface Issued {
  readonly name: string;
  /** PEM */
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Issued {
  /** A server's certificate. */
  issue(name: string, options?: CertificateOptions): Issued;
  /** An authority below this one. */
  delegate(name: string, options?: CertificateOptions): Authority;
}

const dayMs = 86_400_000;

const certify = (
  name: string,
  isAuthority: boolean,
  { hosts = [], validFrom, validTo, issuerUrl }: CertificateOptions,
  issuer: { readonly name: string; readonly key: KeyObject } | null,
): Issued & { readonly privateKey: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hostNames = hosts.map((host) =>
    /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : text(0x82, host),
  );
  const extensions = [
    ...(isAuthority ? [extension('551d13', true, sequence(der(0x01, Buffer.from([0xff]))))] : []),
    ...(hosts.length > 0 ? [extension('551d11', false, sequence(...hostNames))] : []),
    ...(issuerUrl
      ? [
          extension(
            '2b06010505070101',
            false,
            sequence(sequence(id('2b06010505073002'), text(0x86, issuerUrl))),
          ),
        ]
      : []),
  ];
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time(validFrom ?? new Date(Date.now() - dayMs)), time(validTo ?? new Date(Date.now() + dayMs))),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign('sha256', signed, issuer?.key ?? privateKey);
  const certificate = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    name,
    cert: new X509Certificate(certificate).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey: privateKey,
  };
};

const authorityOf = (made: ReturnType<typeof certify>): Authority => {
  const issuer = { name: made.name, key: made.privateKey };
  return {
    ...{ name: made.name, cert: made.cert, key: made.key },
    issue: (name, options = {}) => certify(name, false, options, issuer),
    delegate: (name, options = {}) => authorityOf(certify(name, true, options, issuer)),
  };
};

/** A private authority, as a company's proxy or an antivirus has one. */
export const createAuthority = (name: string, options: CertificateOptions = {}): Authority =>
  authorityOf(certify(name, true, options, null));
