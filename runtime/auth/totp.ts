import { generateSecret, generateURI, verifySync } from 'otplib';
import { product } from '#contracts/kernel/product.ts';
import { isAhead } from '../is-ahead.ts';
import { Secret } from '../secret.ts';

const secretBytes = 20;
/** Clocks of phones and servers differ, so the previous and the next code are accepted too. */
const toleranceSeconds = 30;
const stepMs = 30_000;

export const newTotpSecret = (): Secret => new Secret(generateSecret({ length: secretBytes }));

/** Scanned by the authenticator app as a QR code. */
export const totpUri = (secret: Secret, account: string): string =>
  // A colon separates issuer and account, and apps take the text behind the last one.
  generateURI({ issuer: product.name, label: account.replaceAll(':', ' '), secret: secret.reveal() });

/** The digits as apps group them and keyboards type them (`123 456`, `123-456`, full width); null for anything else. */
export const totpDigits = (code: string): string | null => {
  const digits = code.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}.·]/gu, '');
  return /^\d{6}$/.test(digits) ? digits : null;
};

/**
 * The time step of a correct code; null for a wrong one, and for one that is not newer than the last accepted one: a code read
 * over someone's shoulder is worthless. One that was accepted while the clock was ahead counts no more once that is put right:
 * otherwise no code would be new enough for years.
 */
export const totpStepOf = (
  secret: Secret,
  code: string,
  { lastStep, nowMs }: { readonly lastStep: number | null; readonly nowMs: number },
): number | null => {
  const token = totpDigits(code);
  if (token === null) return null;
  const result = verifySync({
    secret: secret.reveal(),
    token,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: toleranceSeconds,
  });
  if (!result.valid || !('timeStep' in result)) return null;
  const isUsed = lastStep !== null && !isAhead(lastStep * stepMs, nowMs) && result.timeStep <= lastStep;
  return isUsed ? null : result.timeStep;
};
