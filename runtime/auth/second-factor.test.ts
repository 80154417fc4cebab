import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { newRecoveryCodes, recoveryCodeDigest, type SecondFactorStore, spendCode } from './second-factor.ts';
import { tokenDigest } from './secret-token.ts';
import { newTotpSecret, totpUri } from './totp.ts';
import { normalizeTypedCode } from './typed-code.ts';

const secret = newTotpSecret();
const nowMs = 1_800_000_000_000;
const totpAt = (ms: number) => generateSync({ secret: secret.reveal(), epoch: Math.floor(ms / 1000) });

/** The store of one account, of the kind that each of two programs keeps in its own database. */
const account = (codes: readonly string[], { hasAuthenticator = true, isReadable = true } = {}) => {
  const digests = new Set(codes.map((code) => recoveryCodeDigest(code).toString('hex')));
  let lastStep: number | null = null;
  const store: SecondFactorStore = {
    lock: async () =>
      hasAuthenticator
        ? {
            openSecret: () => {
              if (!isReadable) throw new Error('sealed with a lost key');
              return secret;
            },
            lastStep,
          }
        : null,
    keepStep: async (step) => {
      lastStep = step;
    },
    deleteRecoveryCode: async (digest) => digests.delete(digest.toString('hex')),
  };
  return store;
};

// Guarantee: a code of the authenticator counts once, and no earlier one counts after it.
test('a time step counts once', async () => {
  const store = account([]);
  const code = totpAt(nowMs);
  expect(await spendCode(store, `${code.slice(0, 3)} ${code.slice(3)}`, nowMs)).toBe('totp');
  expect(await spendCode(store, code, nowMs)).toBeNull();
  expect(await spendCode(store, totpAt(nowMs - 30_000), nowMs)).toBeNull();
  expect(await spendCode(store, totpAt(nowMs + 30_000), nowMs + 30_000)).toBe('totp');
});

// Guarantee: a code that was accepted while the clock was years ahead locks no one out once it is put right; one of a minute ago
// still counts only once.
test('a clock that was ahead', async () => {
  const store = account([]);
  const aheadMs = nowMs + 70 * 365 * 86_400_000;
  expect(await spendCode(store, totpAt(aheadMs), aheadMs)).toBe('totp');
  expect(await spendCode(store, totpAt(nowMs), nowMs)).toBe('totp');
  expect(await spendCode(store, totpAt(nowMs), nowMs)).toBeNull();
  expect(await spendCode(store, totpAt(nowMs - 60_000), nowMs - 60_000)).toBeNull();
});

// Guarantee: a code counts however an app groups it and a keyboard types it (the apps of Google and Microsoft show two groups).
test.each([
  ['as shown by an app', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ['a no-break space', (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
  ['a hyphen', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['a no-break hyphen', (code: string) => `${code.slice(0, 3)}\u2011${code.slice(3)}`],
  ['pasted with marks', (code: string) => `\u200e${code}\ufeff\n`],
  [
    'full width',
    (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ],
])('%s', async (_how, typed) => {
  expect(await spendCode(account([]), typed(totpAt(nowMs)), nowMs)).toBe('totp');
});

// Guarantee: a phone's clock may be up to 30 s off either way, and no more.
test.each([
  [-60, null],
  [-30, 'totp'],
  [30, 'totp'],
  [60, null],
])('a phone that is %i s off', async (seconds, kind) => {
  expect(await spendCode(account([]), totpAt(nowMs + seconds * 1000), nowMs)).toBe(kind);
});

test('an account name with a colon', () => {
  const { pathname, searchParams } = new URL(totpUri(secret, 'Ada: Keep'));
  expect(decodeURIComponent(pathname).split(':')).toHaveLength(2);
  expect(searchParams.get('issuer')).toBe('Castellan');
});

// Guarantee: a recovery code counts once, however it is typed, even when the authenticator's secret is lost.
test('a recovery code counts once', async () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  const [first = '', second = ''] = codes;
  const store = account(codes, { isReadable: false });
  expect(await spendCode(store, first.toLowerCase().replaceAll('-', ' '), nowMs)).toBe('recovery-code');
  expect(await spendCode(store, first, nowMs)).toBeNull();
  expect(await spendCode(store, second.replaceAll('0', 'o').replaceAll('1', 'l'), nowMs)).toBe(
    'recovery-code',
  );
  await expect(spendCode(store, totpAt(nowMs), nowMs)).rejects.toThrow('lost key');
});

// Guarantee: no code of either kind counts for an account without an authenticator.
test('an account without an authenticator', async () => {
  const [code = ''] = newRecoveryCodes();
  const store = account([code], { hasAuthenticator: false });
  expect(await spendCode(store, code, nowMs)).toBeNull();
  expect(await spendCode(store, totpAt(nowMs), nowMs)).toBeNull();
});

// Guarantee: the recovery codes of released versions are still found by their digests.
test('the digest of a recovery code', () => {
  expect(normalizeTypedCode(' k7wd-3m9p oil0 ')).toBe('K7WD3M9P0110');
  expect(recoveryCodeDigest('K7WD-3M9P-Q2XR-0001')).toEqual(tokenDigest('K7WD3M9PQ2XR0001'));
});
