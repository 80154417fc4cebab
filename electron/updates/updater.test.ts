import { expect, test } from 'vitest';
import type { ReleaseManifest } from '#runtime/release/release-manifest.ts';
import { judgeRelease, type UpdateStanding } from './updater.ts';

const file = { platform: 'linux-x64', name: 'a.AppImage', size: 1, sha512: '' } as const;
const manifest: ReleaseManifest = {
  product: 'Castellan',
  version: '1.4.0',
  releasedAt: '2026-11-01T00:00:00.000Z',
  expiresAt: '2027-02-01T00:00:00.000Z',
  follows: '1.2.0',
  notes: '',
  files: [file],
};
const standing: UpdateStanding = {
  installed: '1.3.0',
  newestSeen: null,
  platform: 'linux-x64',
  now: new Date('2026-11-21T00:00:00Z'),
};
const verdictOf = (changed: Partial<ReleaseManifest>, held: Partial<UpdateStanding> = {}) =>
  judgeRelease({ ...manifest, ...changed }, { ...standing, ...held }).verdict;

// Guarantee: a release is offered only when it is newer than the running version, not older than any that was seen, still
// current, within one step, and made for this system.
test('what is offered', () => {
  expect(verdictOf({})).toBe('offer');
  expect(verdictOf({}, { installed: '1.4.0' })).toBe('current');
  expect(verdictOf({}, { installed: '1.10.0' })).toBe('current');
  expect(verdictOf({}, { installed: '1.1.9' })).toBe('too-far');
  expect(verdictOf({}, { platform: 'win32-x64' })).toBe('not-for-this-system');
  expect(verdictOf({}, { platform: null })).toBe('not-for-this-system');
  expect(verdictOf({}, { now: new Date('2027-02-01T00:00:00Z') })).toBe('expired');
  expect(verdictOf({}, { installed: '1.4.0', now: new Date('2028-01-01T00:00:00Z') })).toBe('expired');
  const seen = { version: '1.5.0', releasedAt: '2026-11-10T00:00:00.000Z' };
  expect(verdictOf({}, { newestSeen: seen })).toBe('replayed');
  expect(verdictOf({ version: '1.5.0' }, { newestSeen: seen })).toBe('replayed');
  expect(verdictOf({ version: '1.5.0', releasedAt: '2026-11-12T00:00:00.000Z' }, { newestSeen: seen })).toBe(
    'offer',
  );
  expect(verdictOf({ version: '1.4.9', releasedAt: '2026-11-12T00:00:00.000Z' }, { newestSeen: seen })).toBe(
    'replayed',
  );
});
