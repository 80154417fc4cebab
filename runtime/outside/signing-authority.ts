import * as tls from 'node:tls';
import type { AddressTest } from '#contracts/operations/outside-addresses.ts';
import { ownAuthorities, systemAuthorities } from './trusted-authorities.ts';

type Signing = NonNullable<AddressTest['signedBy']>;

/** A certificate in PEM, without its lines. */
const bytesOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s+/g, '');

const isAmong = (certificates: readonly string[], raw: Buffer): boolean => {
  const wanted = raw.toString('base64');
  return certificates.some((pem) => bytesOf(pem) === wanted);
};

/** A stranger's text: a name is short, has one line, and does not end the quotation that it stands in. */
export const nameIn = ({ CN, O, OU }: Partial<tls.PeerCertificate['subject']>): string =>
  [CN ?? O ?? OU ?? '?']
    .flat()
    .join(', ')
    .replace(/[\p{Cc}\p{Cf}\s“”]+/gu, ' ')
    .slice(0, 80);

/**
 * The authority at the top of an accepted chain, and who vouches for it.
 * @param ownFile the setting TRUSTED_CA_FILE
 */
export const signingAuthority = (socket: tls.TLSSocket, ownFile: string | undefined): Signing | null => {
  let top = socket.getPeerCertificate(true);
  if (!top.raw) return null;
  while (top.issuerCertificate && top.issuerCertificate.fingerprint256 !== top.fingerprint256)
    top = top.issuerCertificate;
  const { raw, subject } = top;
  const source = isAmong(tls.getCACertificates('bundled'), raw)
    ? 'bundled'
    : isAmong(systemAuthorities(), raw)
      ? 'system'
      : isAmong(ownAuthorities(ownFile), raw)
        ? 'own-file'
        : null;
  return { name: nameIn(subject), source };
};
