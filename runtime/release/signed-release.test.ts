import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ReleaseManifest, releaseManifest } from './release-manifest.ts';
import { maxReleaseBytes, readPublicKey } from './signed-manifest.ts';
import { readSignedRelease, signRelease } from './signed-release.ts';
import { compareVersions } from './version-order.ts';

const makeKey = (): { readonly secret: KeyObject; readonly known: KeyObject } => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { secret: privateKey, known: readPublicKey(x) };
};

const ours = makeKey();
const next = makeKey();
const foreign = makeKey();

const manifest: ReleaseManifest = {
  product: 'Castellan',
  version: '1.4.0',
  releasedAt: '2026-11-01T00:00:00.000Z',
  expiresAt: '2027-02-01T00:00:00.000Z',
  follows: '1.2.0',
  notes: 'Faster, and\n\ta "quoted" <b>word</b>. Não é HTML.',
  files: [
    { platform: 'win32-x64', name: 'Castellan-Setup-1.4.0.exe', size: 5, sha512: `${'A'.repeat(86)}==` },
  ],
};

// Guarantee: what one of our keys has signed is read back unchanged, also during a key change.
test('read back', () => {
  expect(readSignedRelease(signRelease(manifest, [ours.secret]), [ours.known])).toMatchObject({
    kind: 'verified',
    manifest,
  });
  const both = signRelease(manifest, [ours.secret, next.secret]);
  for (const key of [ours, next]) expect(readSignedRelease(both, [key.known]).kind).toBe('verified');
  expect(readSignedRelease(signRelease(manifest, [next.secret]), [ours.known, next.known]).kind).toBe(
    'verified',
  );
});

// Guarantee: nothing is accepted that was signed by a foreign key, changed by a single byte, cut, huge, or signed for another purpose.
test('forged', () => {
  const good = signRelease(manifest, [ours.secret]);
  const kindOf = (bytes: Buffer) => readSignedRelease(bytes, [ours.known]).kind;
  expect(kindOf(signRelease(manifest, [foreign.secret]))).toBe('forged');
  expect(kindOf(signRelease(manifest, []))).toBe('forged');
  for (const place of [0, 30, 110, 140, good.length - 2]) {
    const changed = Buffer.from(good);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect([place, kindOf(changed)]).toEqual([place, 'forged']);
  }
  for (const length of [0, 1, 18, 19, 105, 106, 200, good.length - 1])
    expect([length, kindOf(good.subarray(0, length))]).toEqual([length, 'forged']);
  expect(kindOf(Buffer.concat([good, Buffer.alloc(maxReleaseBytes)]))).toBe('forged');
  expect(kindOf(Buffer.concat([good, Buffer.from(' ')]))).toBe('forged');
  // The body alone, as another protocol might have it signed.
  const body = good.subarray(good.indexOf('\n') + 1);
  const bare = sign(null, body, ours.secret).toString('base64url');
  expect(kindOf(Buffer.concat([Buffer.from(`castellan-update-1 ${bare}\n`), body]))).toBe('forged');
  const hostile = Buffer.from(`castellan-update-1 ${'A'.repeat(86)} ../../etc/passwd\n{}`);
  expect(kindOf(hostile)).toBe('forged');
});

// Guarantee: no name, version or text in a release leads out of a folder or reverses the text around it.
test('hostile words', () => {
  const [file] = manifest.files;
  const named = (name: string) => ({ ...manifest, files: [{ ...file, name }] });
  const hostile = [
    named('../../evil.exe'),
    named('..exe'),
    named('C:\\evil.exe'),
    named('evil.exe:stream.exe'),
    named('a/b.exe'),
    named('evil.bat'),
    named('-rf.exe'),
    named('ev\u202eexe.exe'),
    { ...manifest, version: '1.4.0/../..' },
    { ...manifest, version: '01.4.0' },
    { ...manifest, notes: 'a\u001b[2Jb' },
    { ...manifest, notes: 'a\u202eb' },
    { ...manifest, notes: 'x'.repeat(20_001) },
    { ...manifest, files: [file, file] },
    { ...manifest, files: [{ ...file, size: 2 ** 31 }] },
    { ...manifest, surprise: true },
  ];
  for (const value of hostile)
    expect([value, releaseManifest.safeParse(value).success]).toEqual([value, false]);
  expect(releaseManifest.safeParse(manifest).success).toBe(true);
});

// Guarantee: a release made for a later updater is told apart from a forged one.
test('unreadable', () => {
  const body = Buffer.from('{"product":"Castellan","version":"2.0.0","somethingNew":1}');
  const signature = sign(null, Buffer.concat([Buffer.from('castellan-update-1\n'), body]), ours.secret);
  const bytes = Buffer.concat([Buffer.from(`castellan-update-1 ${signature.toString('base64url')}\n`), body]);
  expect(readSignedRelease(bytes, [ours.known]).kind).toBe('unreadable');
});

test('versions are ordered by number', () => {
  expect(['1.10.0', '1.9.9', '0.99.99', '1.9.10'].sort(compareVersions)).toEqual([
    '0.99.99',
    '1.9.9',
    '1.9.10',
    '1.10.0',
  ]);
});
