import { expect, test } from 'vitest';
import { endorsementType, maxEndorsements, revocationsType } from '#contracts/license/key-succession.ts';
import { newSigningKey, type SigningKey } from '../testing/fake-portal.ts';
import { endorse, revoke, signStatement } from '../testing/key-statements.ts';
import { type KeyTrust, trustSuccessorsOf } from './key-trust.ts';

const newKeys = (count: number): Promise<SigningKey[]> =>
  Promise.all(Array.from({ length: count }, newSigningKey));
const [k1, k2, k3, k4, thief, thief2] = (await newKeys(6)) as [
  SigningKey,
  SigningKey,
  SigningKey,
  SigningKey,
  SigningKey,
  SigningKey,
];
const toK2 = endorse(k1, k2, 2);
const toK3 = endorse(k2, k3, 3);
const toK4 = endorse(k3, k4, 4);
const genuine = [k1, k2, k3, k4].map(({ kid }) => kid);

const learned = async (
  pinned: SigningKey,
  ...documents: { endorsements: string[]; strikes?: string | null }[]
): Promise<KeyTrust> => {
  const trust = await trustSuccessorsOf(pinned.publicKey);
  for (const { endorsements, strikes = null } of documents) await trust.learn({ endorsements, strikes });
  return trust;
};
const believed = ({ keys }: KeyTrust): string[] => [...keys.verifiers.keys()];
const names = (...keys: SigningKey[]): string[] => keys.map(({ kid }) => kid);

// Guarantee: an installation that pinned any key of the chain trusts that key and all later ones, and no earlier one, in whatever
// order the endorsements come.
test('the chain is followed', async () => {
  const endorsements = [toK4, toK2, toK3];
  expect(believed(await learned(k1, { endorsements })).sort()).toEqual(names(k1, k2, k3, k4).sort());
  expect(believed(await learned(k3, { endorsements }))).toEqual(names(k3, k4));
  expect(believed(await learned(k1, { endorsements: [toK2] }, { endorsements: [toK3] }))).toEqual(
    names(k1, k2, k3),
  );
});

// Guarantee: the stored statements alone lead to the same keys again.
test('what is kept is enough for the next start', async () => {
  const first = await learned(k1, { endorsements: [toK4, toK3, toK2] });
  const { successorKeys, strikes } = first.kept;
  expect(successorKeys).toEqual([toK2, toK3, toK4]);
  expect(believed(await learned(k1, { endorsements: successorKeys, strikes }))).toEqual(believed(first));
});

const [head = '', body = '', signature = ''] = toK2.split('.');
const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: endorsementType, kid: k1.kid })).toString(
  'base64url',
);
const claims = { kid: thief.kid, key: thief.publicKey, sequence: 2 };

// Guarantee: only a complete endorsement, of this kind, by a trusted key, of a later key, adds a key; a refused one disturbs
// nothing, and never crashes.
test.each([
  [
    'forged: signed by a stranger in the name of the pinned key',
    endorse({ ...thief, kid: k1.kid }, thief2, 2),
  ],
  ['foreign: signed by a stranger', endorse(thief, thief2, 2)],
  ['not signed', `${unsigned}.${body}.`],
  ['a cut signature', `${head}.${body}.${signature.slice(0, -4)}`],
  ['the signature of another', `${head}.${endorse(k1, thief, 2).split('.')[1]}.${signature}`],
  ['another kind of statement', signStatement(revocationsType, claims, k1)],
  ['a license token', signStatement('JWT', claims, k1)],
  ['no kind', signStatement(endorsementType, claims, k1, { typ: undefined })],
  [
    'a critical header that we do not know',
    signStatement(endorsementType, claims, k1, { crit: ['x'], x: 1 }),
  ],
  ['another algorithm', signStatement(endorsementType, claims, k1, { alg: 'ES256' })],
  ['another issuer', endorse(k1, thief, 2, { iss: 'somebody-else' })],
  ['no issuer', endorse(k1, thief, 2, { iss: undefined })],
  ['a kid that is not the key', endorse(k1, thief, 2, { kid: thief2.kid })],
  ['a key that is none', endorse(k1, thief, 2, { key: 'short' })],
  ['a sequence that goes nowhere', endorse(k1, thief, 0)],
  ['a sequence that is no number', endorse(k1, thief, 2, { sequence: '9' })],
  ['no statement at all', 'a.b.c'],
])('refused: %s', async (_what, statement) => {
  const trust = await learned(k1, { endorsements: [statement] });
  expect(believed(trust)).toEqual(names(k1));
  await trust.learn({ endorsements: [statement, toK2], strikes: null });
  expect(believed(trust)).toEqual(names(k1, k2));
});

// Guarantee: a chain goes neither backwards nor in a circle, and a place in it that is taken stays taken.
test('sequence', async () => {
  const back = endorse(k3, thief, 2);
  const same = endorse(k3, thief, 3);
  const round = endorse(k3, k1, 4);
  const rival = endorse(k2, thief, 3);
  const trust = await learned(k1, { endorsements: [toK2, toK3, back, same, round, rival] });
  expect(believed(trust)).toEqual(names(k1, k2, k3));
});

// Guarantee: no published document makes a client follow, or store, more keys than a real succession has.
test('a chain without end', async () => {
  const keys = await newKeys(maxEndorsements + 20);
  const endorsements = keys.slice(1).map((key, index) => endorse(keys[index] ?? key, key, index + 2));
  const trust = await learned(keys[0] ?? k1, { endorsements });
  expect(trust.kept.successorKeys).toHaveLength(maxEndorsements);
});

// Guarantee: a revoked key is no longer trusted, its endorsements count only as far as the revocation calls them genuine, and that
// also holds after the next start.
test('a revocation', async () => {
  const strikes = revoke(k3, { number: 1, struck: names(k2), genuine });
  const trust = await learned(
    k1,
    { endorsements: [toK2, toK3] },
    { endorsements: [toK2, toK3], strikes },
    { endorsements: [endorse(k2, thief, 9), toK4] },
  );
  expect(believed(trust)).toEqual(names(k1, k3, k4));
  expect(trust.revocationNumber).toBe(1);
  const { successorKeys, strikes: kept } = trust.kept;
  const again = await learned(k1, { endorsements: successorKeys, strikes: kept });
  expect(believed(again)).toEqual(names(k1, k3, k4));
  expect(again.revocationNumber).toBe(1);
});

// Guarantee: a key that a thief endorsed before the revocation was known is dropped with it.
test('what a thief had endorsed', async () => {
  const trust = await learned(k1, { endorsements: [toK2, toK3, endorse(k2, thief, 9)] });
  expect(believed(trust)).toContain(thief.kid);
  await trust.learn({ endorsements: [], strikes: revoke(k3, { number: 1, struck: names(k2), genuine }) });
  expect(believed(trust)).toEqual(names(k1, k3));
});

// Guarantee: the highest revocation wins; one that is older, takes something back, or is signed by a key that is revoked, earlier
// than what it revokes, or unknown, changes nothing.
test.each([
  ['an older number', revoke(k4, { number: 1, struck: names(k2, k3), genuine })],
  ['the same number', revoke(k4, { number: 2, struck: names(k2, k4), genuine })],
  ['one that takes a revocation back', revoke(k4, { number: 3, struck: names(k3), genuine })],
  ['a struck signer', revoke(k2, { number: 3, struck: names(k2, k4), genuine })],
  ['an earlier signer', revoke(k3, { number: 3, struck: names(k2, k4), genuine })],
  ['a stranger', revoke(thief, { number: 3, struck: names(k2, k4), genuine })],
  [
    'a stranger in the name of the latest',
    revoke({ ...thief, kid: k4.kid }, { number: 3, struck: names(k2), genuine }),
  ],
  ['one that revokes its own signer', revoke(k4, { number: 3, struck: names(k2, k4), genuine })],
  ['an endorsement', endorse(k4, thief, 5)],
])('refused: %s', async (_what, strikes) => {
  const endorsements = [toK2, toK3, toK4];
  const known = revoke(k4, { number: 2, struck: names(k2), genuine });
  const trust = await learned(k1, { endorsements, strikes: known }, { endorsements, strikes });
  expect(trust.kept.strikes).toBe(known);
  expect(believed(trust)).toEqual(names(k1, k3, k4));
});

// Guarantee: the thief of a key that is known to be revoked cannot come back through their own chain and revocation.
test("a thief's own succession", async () => {
  const endorsements = [toK2, toK3, toK4];
  const trust = await learned(k1, {
    endorsements,
    strikes: revoke(k4, { number: 1, struck: names(k2), genuine }),
  });
  await trust.learn({
    endorsements: [endorse(k2, thief, 50), endorse(thief, thief2, 51)],
    strikes: revoke(thief2, { number: 99, struck: names(k1, k2, k3, k4), genuine: names(thief, thief2) }),
  });
  expect(believed(trust)).toEqual(names(k1, k3, k4));
  expect(trust.revocationNumber).toBe(1);
});

// Guarantee: a revoked pinned key vouches for no key any more, as long as it is the pinned one.
test('the pinned key is struck', async () => {
  const strikes = revoke(k2, { number: 1, struck: names(k1), genuine });
  const trust = await learned(k1, { endorsements: [toK2], strikes });
  expect(believed(trust)).toEqual([]);
  expect(trust.keys.struck.has(k1.kid)).toBe(true);
  const { successorKeys } = trust.kept;
  expect(believed(await learned(k2, { endorsements: successorKeys, strikes: trust.kept.strikes }))).toEqual(
    names(k2),
  );
});
